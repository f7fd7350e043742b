-- When a consumer put the event on the dead-letter stream; null where the event was handled. A replay clears it.
alter table inbox add column given_up_at timestamptz;

-- Up to which time of publishing this service has checked that a consuming service has a receipt of every event
-- (docs/decisions/0098).
create table receipt_checks (
  consumer text primary key,
  checked_until timestamptz not null
);
-- The check reads what was published in a span, and events that were published again have a low id and a late time.
create index sent_events_sent on sent_events (sent_at);
