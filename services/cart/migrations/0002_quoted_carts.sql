-- When somebody last asked what a customer's cart costs at checkout, or when the cart came over from a guest, who may have
-- checked it out: from then on it may be an order that was not heard of yet.
alter table carts add column quoted_at timestamptz;
