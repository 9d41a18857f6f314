-- The requests of `api_usage` by operation, named `group.name`: as many rows a day and key as there are operations.
create table api_usage_operation (
  key text not null references api_key (id) on delete cascade,
  day date not null,
  operation text collate "C" not null,
  requests bigint not null,
  refused bigint not null,
  primary key (key, day, operation)
);
