-- Events that JetStream has taken, for a day. NATS may lose its disk, and a database may go back to a backup: what a hearer has
-- no receipt of is then said again from here (docs/decisions/0029).
create table sent_events (
  id bigint primary key,
  event_id text not null,
  name text not null,
  payload text not null,
  sent_at timestamptz not null default now()
);
