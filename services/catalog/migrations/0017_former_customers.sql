-- Accounts that are gone, for as long as there can be late news of what they bought.
create table former_customers (
  customer_id text primary key,
  deleted_at timestamptz not null
);

-- What somebody wrote, for whoever asks for his own data or deletes his account. The index that is unique begins with the
-- product and cannot find it.
create index reviews_written_by on reviews (customer_id, id) where customer_id is not null;
