-- A mail that a limit kept back (docs/decisions/0064). A merchant may send it all the same.
alter table mails drop constraint mails_phase_check;
alter table mails add constraint mails_phase_check check (phase in
  ('queued', 'connecting', 'handed-over', 'sent', 'failed', 'uncertain', 'dropped', 'withheld'));

-- Mails of one order that follow the one which is withheld.
create index mails_withheld on mails (reference) where phase = 'withheld';

-- How many mails strangers have caused, by mailbox and by sender, in spans of ten minutes.
create table mail_counts (
  -- Group of mails, and a digest of the mailbox, the browser, the account or the network.
  subject text not null,
  since timestamptz not null,
  mails integer not null check (mails > 0),
  primary key (subject, since)
);
-- The clean-up reads by age.
create index mail_counts_since on mail_counts (since);
