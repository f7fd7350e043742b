-- Accounts that are gone, for good: their orders open for no one any more, with whatever capability, however late it was granted.
-- An id of no person. former_customers knows them for two weeks alone, while whose guest orders were theirs is not yet settled.
create table deleted_customers (
  customer_id text primary key,
  deleted_at timestamptz not null
);
insert into deleted_customers (customer_id, deleted_at) select customer_id, deleted_at from former_customers;
