-- A live stream asks for the rewinds of its index since the last one that it knows.
create index dex_rewind_deployment on dex_rewind (deployment, id);
