-- The proofs against the headers. Of a block: 0 nothing, 1 its logs, 2 also that its parent is the row before it. Of an
-- index: the block up to which every block is proven, and its hash.
alter table dex_block add column proof smallint not null default 0;
alter table dex_index add column proven int, add column proven_hash text;
