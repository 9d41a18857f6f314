-- The square root price of a pool before its first swap: of Initialize, or of its contract where the pool is older than the
-- index. The first candle opens with it; the versions of the pool lack it where the first swap is in the same block.
create table dex_initial_price (
  deployment int not null,
  pool text collate "C" not null,
  block_number int not null,
  sqrt_price numeric not null,
  primary key (deployment, pool)
);
create index dex_initial_price_block on dex_initial_price (deployment, block_number);
