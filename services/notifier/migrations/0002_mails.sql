-- One mail for one event. The row is the queue, the promise not to send twice, and the log.
create table mails (
  id text primary key,
  seq bigint generated always as identity,
  event_id text not null,
  kind text not null,
  recipient text not null,
  -- What the shop calls it, for logs and file names; never a name or an address.
  reference text not null,
  -- What the template is filled with; emptied with the recipient when the mail is long settled.
  data jsonb not null,
  event_at timestamptz not null,
  -- queued -> connecting -> handed-over -> sent | failed | uncertain. A mail that is handed over may have arrived.
  phase text not null default 'queued'
    check (phase in ('queued', 'connecting', 'handed-over', 'sent', 'failed', 'uncertain')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_by text,
  lease_until timestamptz,
  -- The mail server's last answer, or why there was none.
  answer text,
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint mails_once unique (event_id, kind)
);
create index mails_due on mails (next_attempt_at, seq) where phase = 'queued';
create index mails_lease on mails (lease_until) where phase in ('connecting', 'handed-over');
