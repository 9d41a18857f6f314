create table tape_series (
  id int generated always as identity primary key,
  exchange text not null,
  market text not null,
  continuity text not null check (continuity in ('sequence', 'overlap')),
  first_id bigint,
  version bigint not null default 0,
  dropped_before bigint not null default 0,
  unique (exchange, market)
);

-- One partition per UTC day, created with the first trade of the day: retention drops whole days. Columns of a fixed
-- size come first, which saves padding in every row.
create table tape_trade (
  timestamp bigint not null,
  sequence bigint not null,
  received_at bigint not null,
  series int not null,
  is_buy boolean not null,
  price numeric not null,
  size numeric not null,
  id text collate "C" not null,
  primary key (series, timestamp, sequence)
) partition by range (timestamp);

create table tape_coverage (
  series int not null,
  from_sequence bigint not null,
  to_sequence bigint not null,
  from_time bigint not null,
  to_time bigint not null,
  primary key (series, from_sequence)
);

-- The minutes from which the candles of every timeframe are aggregated. Open and close include the position of their
-- trade, so that trades may arrive in any order.
create table tape_minute (
  series int not null,
  start bigint not null,
  open numeric not null,
  open_time bigint not null,
  open_sequence bigint not null,
  high numeric not null,
  low numeric not null,
  close numeric not null,
  close_time bigint not null,
  close_sequence bigint not null,
  volume numeric not null,
  trades bigint not null,
  primary key (series, start)
);

create table tape_event (
  id bigint generated always as identity primary key,
  series int not null,
  at bigint not null,
  kind text not null,
  from_sequence bigint,
  to_sequence bigint,
  detail text not null
);
create index tape_event_series on tape_event (series, id);
