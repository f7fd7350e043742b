-- Somebody tried what a mail looks like: of no event, and counted so that strangers do not get many.
alter table mails add column test boolean not null default false;
create index mails_tests on mails (created_at) where test;

-- The log of mails, about one order and to one address.
create index mails_by_reference on mails (reference, seq desc);
create index mails_by_recipient on mails (lower(recipient), seq desc) where recipient <> '';
