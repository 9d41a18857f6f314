-- `id` is the beginning of the key's SHA-256, `digest` all of it: the key itself is not stored.
create table api_key (
  id text primary key,
  digest text not null,
  name text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  expires_at timestamptz
);
