-- Events that were decided and not yet published. The relay deletes a row once JetStream has it.
create table outbox (
  id bigint generated always as identity primary key,
  event_id text not null,
  name text not null,
  payload text not null
);

-- Events that a consumer has dealt with. Its row commits with the effect, so an event that comes twice acts once.
create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
-- The daily clean-up reads by age.
create index inbox_received_at on inbox (received_at);
