-- Endpoints that merchants register, beside the storefront's, which the configuration names.
alter table endpoints
  add column description text not null default '',
  -- Sealed under SECRETS_KEY; null for the storefront's, whose secret is the configuration's or a credential.
  add column secret text,
  -- Signs as well, until then.
  add column previous_secret text,
  add column previous_until timestamptz,
  -- Who switched it off: an admin, or the service itself. Null while it is enabled.
  add column disabled_by text,
  add column disabled_at timestamptz,
  -- The circuit: failed attempts in a row over all its deliveries, and until when nothing is sent because of them.
  add column failures integer not null default 0,
  add column paused_until timestamptz,
  add column updated_at timestamptz not null default now(),
  -- Gone for its merchant. The row stays as long as the log of what was sent to it.
  add column deleted_at timestamptz,
  add check ((previous_secret is null) = (previous_until is null));

update endpoints set disabled_by = 'service', disabled_at = now() where not enabled;

alter table deliveries
  -- Failed attempts since it was queued or replayed: where it stands in the retry schedule. attempts counts all of them.
  add column failures integer not null default 0,
  -- How often somebody had it sent again.
  add column replays integer not null default 0;
update deliveries set failures = attempts where status in ('queued', 'sending', 'waiting');

-- The log of one endpoint, newest first.
create index deliveries_log_by_endpoint on deliveries (endpoint_id, seq desc);

-- Whether a mail server said that nobody has this address.
alter table mails add column bounced boolean not null default false;
-- The log of mails, newest first.
create index mails_log on mails (seq desc);

-- How mails looked when catalog was last asked: they go on while it is away.
create table known_settings (
  only_row boolean primary key check (only_row),
  version integer not null,
  answer jsonb not null
);
