-- `email` is in lower case. `password` is the hash with its parameters.
create table account (
  id text primary key,
  email text not null unique,
  password text not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

-- `digest` is the SHA-256 of the browser's cookie.
create table account_session (
  digest text primary key,
  account text not null references account (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_session_account on account_session (account);

create table invitation (
  digest text primary key,
  note text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  used_at timestamptz,
  account text references account (id) on delete set null
);

-- Keys of operators belong to no account. `scopes` are groups of operations; null allows all. `shown` is how people
-- recognize a key: its beginning and its last four characters.
alter table api_key
  add column account text references account (id) on delete cascade,
  add column shown text,
  add column scopes text[],
  add column plan text,
  add column last_used_at timestamptz;
create index api_key_account on api_key (account);

-- `cost` is the total charged for the requests, `refused` the number of them that a limit rejected.
create table api_usage (
  key text not null references api_key (id) on delete cascade,
  day date not null,
  requests bigint not null,
  refused bigint not null,
  cost bigint not null,
  primary key (key, day)
);

-- The audit log of accounts and keys. It outlives both.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  actor text not null,
  account text,
  key text,
  address text,
  detail text not null
);
create index audit_event_account on audit_event (account, id);
