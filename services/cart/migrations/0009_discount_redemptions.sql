-- The table gets the name that the code uses. Replicas of the version before still use the old name, which is a view
-- that writes through. A later migration drops it.
alter table discount_uses rename to discount_redemptions;
create view discount_uses as select * from discount_redemptions;
alter index discount_uses_pkey rename to discount_redemptions_pkey;
alter index discount_uses_buyer rename to discount_redemptions_buyer;
alter index discount_uses_cart rename to discount_redemptions_cart;
alter index discount_uses_customer rename to discount_redemptions_customer;
alter index discount_uses_due rename to discount_redemptions_due;
alter index discount_uses_email rename to discount_redemptions_email;
alter table discount_redemptions rename constraint discount_uses_status_check to discount_redemptions_status_check;
comment on column discount_redemptions.buyer_hash is 'HMAC of the mailbox; null for an order without an address, and after the release.';
