-- Whose checkout waits for its payment: digests of the browser, the account and the network. Emptied when it waits no longer.
alter table payment_sessions add column buyer_keys text[] not null default '{}';
-- The other unpaid checkouts of a buyer.
create index payment_sessions_buyers on payment_sessions using gin (buyer_keys) with (fastupdate = off)
  where status in ('creating', 'open');
