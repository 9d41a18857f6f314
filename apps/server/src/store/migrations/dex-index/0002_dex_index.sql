-- `rewinds` counts the reorgs, so that a reader detects one between two of its statements.
create table dex_index (
  id int generated always as identity primary key,
  key text not null unique,
  finalized int not null,
  rewinds int not null default 0
);

-- Every appended block, the newest being the checkpoint: hash and time of old blocks are queried, too.
create table dex_block (
  deployment int not null,
  number int not null,
  hash text not null,
  timestamp bigint not null,
  primary key (deployment, number)
);

create table dex_totals (
  deployment int not null,
  valid_from int not null,
  id text not null,
  pool_count numeric not null,
  tx_count numeric not null,
  total_volume_usd numeric not null,
  untracked_volume_usd numeric not null,
  total_volume_eth numeric not null,
  total_value_locked_usd numeric not null,
  total_value_locked_eth numeric not null,
  total_fees_usd numeric not null,
  total_fees_eth numeric not null,
  owner text not null,
  native_usd numeric not null,
  primary key (deployment, valid_from)
);

-- No version spans two epochs, so that the versions of one epoch contain every state within it. A new epoch begins
-- after `size` versions, which `versions` counts.
create table dex_epoch (
  deployment int not null,
  entity text not null,
  start int not null,
  size int not null,
  versions int not null,
  primary key (deployment, entity, start)
);

-- `valid_to` is in no index: closing a version is then an update within its page (HOT), for which the rest of the
-- page is left free.
create table dex_token (
  deployment int not null,
  epoch int not null,
  valid_from int not null,
  valid_to int not null,
  id text collate "C" not null,
  name text collate "C" not null,
  symbol text collate "C" not null,
  name_key text collate "C" not null,
  symbol_key text collate "C" not null,
  decimals numeric not null,
  supply numeric not null,
  total_value_locked numeric not null,
  total_value_locked_usd numeric not null,
  volume numeric not null,
  volume_usd numeric not null,
  untracked_volume_usd numeric not null,
  tx_count numeric not null,
  derived_eth numeric not null,
  fees_usd numeric not null,
  total_value_locked_usd_untracked numeric not null,
  pool_count numeric not null,
  primary key (deployment, id, valid_from)
) with (fillfactor = 85);
create index dex_token_locked on dex_token (deployment, epoch, total_value_locked_usd desc, id, valid_from);
create index dex_token_volume on dex_token (deployment, epoch, volume_usd desc, id, valid_from);
create index dex_token_count on dex_token (deployment, epoch, tx_count desc, id, valid_from);

create table dex_pool (
  deployment int not null,
  epoch int not null,
  valid_from int not null,
  valid_to int not null,
  id text collate "C" not null,
  token0 text collate "C" not null,
  token1 text collate "C" not null,
  created_at_block_number numeric not null,
  created_at_log_index int not null,
  created_at_timestamp numeric not null,
  fee_growth_global0_x128 numeric not null,
  fee_growth_global1_x128 numeric not null,
  fee_tier numeric not null,
  fees_usd numeric not null,
  liquidity numeric not null,
  liquidity_provider_count numeric not null,
  observation_index numeric not null,
  sqrt_price numeric not null,
  tick numeric,
  token0_price numeric not null,
  token1_price numeric not null,
  total_value_locked_token0 numeric not null,
  total_value_locked_token1 numeric not null,
  total_value_locked_eth numeric not null,
  total_value_locked_usd numeric not null,
  total_value_locked_usd_untracked numeric not null,
  tx_count numeric not null,
  volume_usd numeric not null,
  volume_token0 numeric not null,
  volume_token1 numeric not null,
  untracked_volume_usd numeric not null,
  primary key (deployment, id, valid_from)
) with (fillfactor = 85);
create index dex_pool_locked on dex_pool (deployment, epoch, total_value_locked_usd desc, id, valid_from);
create index dex_pool_volume on dex_pool (deployment, epoch, volume_usd desc, id, valid_from);
create index dex_pool_fees on dex_pool (deployment, epoch, fees_usd desc, id, valid_from);
create index dex_pool_count on dex_pool (deployment, epoch, tx_count desc, id, valid_from);

create table dex_trade (
  deployment int not null,
  block_number int not null,
  log_index int not null,
  timestamp bigint not null,
  kind text collate "C" not null,
  pool text collate "C" not null,
  token0 text collate "C" not null,
  token1 text collate "C" not null,
  transaction_id text collate "C" not null,
  origin text collate "C" not null,
  amount0 numeric not null,
  amount1 numeric not null,
  amount_usd numeric not null,
  amount numeric,
  owner text collate "C",
  sender text collate "C",
  recipient text collate "C",
  sqrt_price_x96 numeric,
  primary key (deployment, block_number, log_index)
);
create index dex_trade_pool on dex_trade (deployment, pool, kind, timestamp, block_number, log_index);
create index dex_trade_token0 on dex_trade (deployment, token0, kind, timestamp, block_number, log_index);
create index dex_trade_token1 on dex_trade (deployment, token1, kind, timestamp, block_number, log_index);
