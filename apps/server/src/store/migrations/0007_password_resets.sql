-- Codes that each replace a lost password once. `digest` is the SHA-256 of the code.
create table password_reset (
  digest text primary key,
  account text not null references account (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_reset_account on password_reset (account);
