-- A keyed hash of the buyer's mailbox (docs/decisions/0063). Unlike email_digest it stays when the account is deleted: without
-- the key it names no one, and the limit per customer goes on counting the mailbox.
alter table discount_uses add column buyer_hash bytea;
comment on column discount_uses.buyer_hash is 'HMAC of the mailbox; null for an order without an address, and when the use was released.';
comment on column discount_uses.email_digest is 'Of older versions: replaced by buyer_hash when cart starts.';
-- The limit per customer.
create index discount_uses_buyer on discount_uses (discount_id, buyer_hash)
  where status <> 'released' and buyer_hash is not null;
