-- Open payment pages with a discount code, by the guests' carts that were merged into theirs: a checkout of such a cart that began before
-- the merge ends them (docs/decisions/0056). Few wait at a time; without a pending list a search reads no more.
create index payment_sessions_merged on payment_sessions using gin (merged_cart_ids) with (fastupdate = off)
  where status in ('creating', 'open') and discount_claim is not null;
