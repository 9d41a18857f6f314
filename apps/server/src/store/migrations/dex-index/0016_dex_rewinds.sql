-- When an index was rewound: to which block, its newest block before, and whether the same blocks were written again.
create table dex_rewind (
  id bigint generated always as identity primary key,
  deployment int not null,
  at bigint not null,
  ancestor int not null,
  head int not null,
  is_repair boolean not null
);
