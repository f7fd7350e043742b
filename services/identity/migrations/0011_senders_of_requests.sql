-- Digests of the account and the network that a request came from: limits of mails count them when its mail is sent.
alter table newsletter_requests add column senders text[] not null default '{}';
alter table password_reset_requests add column senders text[] not null default '{}';
