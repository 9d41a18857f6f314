create table ownership_lease (
  name text primary key,
  epoch bigint not null,
  owner text not null,
  taken_at timestamptz not null default now()
);

-- Both are rewritten twice a second: nothing is lost with them when the server fails.
create unlogged table ownership_instance (
  id int generated always as identity primary key,
  name text not null unique,
  runner text not null,
  at timestamptz not null
);
create unlogged table ownership_status (
  name text primary key,
  epoch bigint not null,
  status jsonb not null,
  at timestamptz not null
);
