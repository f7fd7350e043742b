-- Mails about accounts: they can be dropped, and they are forgotten with the customer whom they are about.
alter table mails add column customer_id text;
alter table mails drop constraint mails_phase_check;
-- dropped: never handed over, because its link leads nowhere any more or its reader is gone.
alter table mails add constraint mails_phase_check
  check (phase in ('queued', 'connecting', 'handed-over', 'sent', 'failed', 'uncertain', 'dropped'));
-- What is kept about one customer is read page by page, and emptied when the account is deleted.
create index mails_customer on mails (customer_id, seq) where customer_id is not null;

-- Events come in any order: a mail that was asked for before its customer was deleted may be heard of afterwards.
create table deleted_customers (
  customer_id text primary key,
  heard_at timestamptz not null
);
