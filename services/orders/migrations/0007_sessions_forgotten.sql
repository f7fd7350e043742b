-- Other ids by which the cart of a session may be asked for: those of guests' carts that were merged into it.
alter table payment_sessions add column merged_cart_ids text[] not null default '{}';
-- A payment that failed outlives the checkout that it was tried for.
alter table payments drop constraint payments_session_id_fkey,
  add constraint payments_session_id_fkey foreign key (session_id) references payment_sessions on delete set null;
-- What names a checkout, when that is to be forgotten.
create index payments_session on payments (session_id) where session_id is not null;
-- Checkouts that became no order, in the order in which they are forgotten.
create index payment_sessions_ended on payment_sessions (expires_at)
  where status in ('cancelled', 'expired', 'failed', 'superseded');
-- Those of a customer whose account is deleted.
create index payment_sessions_customer on payment_sessions (customer_id) where customer_id is not null;
-- The last checkout of a cart, by either of its names.
create index payment_sessions_cart on payment_sessions (cart_id, created_at);
create index payment_sessions_asked_cart on payment_sessions (asked_cart_id, created_at) where asked_cart_id <> cart_id;
