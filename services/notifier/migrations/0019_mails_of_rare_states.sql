-- The same for mails: 3 of the 27 entries of a mail. A migration of its own, so that it locks one table at a time.
drop index mails_log_by_phase;
create index mails_log_by_phase on mails (phase, seq desc)
  where phase in ('queued', 'failed', 'uncertain', 'dropped', 'withheld');
