-- The last comparison of the books, of which there is one row.
create table reconciliation (
  only_row boolean primary key default true check (only_row),
  -- As GET /admin/reconciliation answers it.
  report jsonb not null,
  -- Holds that were decided before this were compared with the stock; those after it are compared next time.
  checked_until timestamptz not null,
  -- Holds before that which did not agree, and are compared again.
  disagreeing text[] not null
);

-- When a session that ended without an order was asked for once more: a buyer may have paid in its last moment.
alter table payment_sessions add column reconciled_at timestamptz;
create index payment_sessions_unreconciled on payment_sessions (created_at)
  where reconciled_at is null and status in ('cancelled', 'expired', 'failed', 'superseded');
-- Which order stands on a hold.
create index orders_claim on orders (claim) where claim is not null;
-- Holds in the order in which they are compared.
create index claims_decided on claims (decided_at, claim);
drop index claims_decided_at;
