-- When a consumer put the event on the dead-letter stream; null where the event was handled. A replay clears it.
alter table inbox add column given_up_at timestamptz;

-- Up to which time of publishing this service has checked that a consuming service has a receipt of every event
-- (docs/decisions/0098).
create table receipt_checks (
  consumer text primary key,
  checked_until timestamptz not null
);
