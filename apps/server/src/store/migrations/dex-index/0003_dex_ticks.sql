-- The inputs of fee growth and observation index. Null in rows from before, and for pools that are read from their
-- contracts.
alter table dex_pool
  add column tick_spacing int,
  add column fee_protocol int,
  add column observation_cardinality int,
  add column observation_cardinality_next int,
  add column observed_at bigint;

-- The sums of mints and burns give the liquidity at every tick as of every block.
alter table dex_trade add column tick_lower int, add column tick_upper int;
create index dex_trade_ticks on dex_trade (deployment, block_number)
  include (pool, kind, tick_lower, tick_upper, amount) where tick_lower is not null;
