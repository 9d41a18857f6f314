-- How many rows of a file, named by its SHA-256, are imported: written in the transaction of the trades.
create table tape_import (
  series int not null,
  file text collate "C" not null,
  rows bigint not null,
  first_id bigint,
  last_id bigint,
  is_complete boolean not null,
  primary key (series, file)
);
