-- The id of a guest's cart that was merged into the customer's at sign-in: the client may keep using it for as long as that
-- cart is there.
create table cart_aliases (
  alias text primary key,
  cart_id text not null references carts (id) on delete cascade,
  -- An order was placed on the guest's cart after it was merged, and what was ordered is taken out of the other one.
  ordered boolean not null default false
);
-- For the carts that are deleted, and those that are merged once more.
create index cart_aliases_cart on cart_aliases (cart_id);
