-- For pages sorted by a field without an index: they read the versions of one epoch up to the block, and sort.
create index dex_token_epoch on dex_token (deployment, epoch, valid_from);
create index dex_pool_epoch on dex_pool (deployment, epoch, valid_from);
