-- Pairs have no square root price, no fee growth and no observations. Their price is stored instead, in token 1 for one
-- token 0: after each swap, and before the first one.
alter table dex_pool
  alter column fee_growth_global0_x128 drop not null,
  alter column fee_growth_global1_x128 drop not null,
  alter column observation_index drop not null,
  alter column sqrt_price drop not null;
alter table dex_trade add column price numeric;
alter table dex_initial_price alter column sqrt_price drop not null, add column price numeric;
