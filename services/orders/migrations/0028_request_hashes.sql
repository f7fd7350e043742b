-- Digests of the requests with an idempotency key that made a refund or a parcel: the key finds its refund for ever, and its response for a
-- day. Null without a key, and for those that an older version made.
alter table refunds add column request_hash bytea;
alter table fulfilments add column request_hash bytea;
