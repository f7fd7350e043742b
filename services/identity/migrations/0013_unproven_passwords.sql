-- Somebody at the mailbox confirmed the address without showing that the account is theirs: the password that the account was
-- registered with signs no one in any more, until the person at the mailbox sets one (docs/decisions/0062). It is kept to be
-- compared: who sets the same again is the person who registered, and keeps what is in the account.
alter table customers add column unproven_password_hash text;
