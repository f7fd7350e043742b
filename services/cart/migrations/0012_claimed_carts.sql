-- When a guest's cart became a customer's. `customer.reclaimed` may arrive late: it deletes what was in the account before, and must
-- keep an older cart that its owner filled as a guest and claimed after that. Not quoted_at, which every checkout sets. Null for a cart
-- that was the customer's from the beginning, and for those that the version before claimed.
alter table carts add column claimed_at timestamptz;
