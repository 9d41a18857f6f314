-- The trades of an imported file that the tape has otherwise: how many, and the first of them as JSON.
alter table tape_import
  add column different bigint not null default 0,
  add column differences text not null default '[]';
