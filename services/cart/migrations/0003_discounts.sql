create table discounts (
  -- A code that is deleted and written anew is another discount, with no uses yet.
  id bigint generated always as identity unique,
  -- In upper case.
  code text primary key,
  kind text not null check (kind in ('percent', 'fixed', 'shipping')),
  -- Whole percent, minor units of the store's currency, or 0 for free shipping.
  value bigint not null check (value >= 0),
  label text,
  active boolean not null,
  starts_at timestamptz,
  ends_at timestamptz,
  min_subtotal_minor bigint,
  usage_limit integer,
  per_customer_limit integer,
  -- Slugs of categories, and slugs or ids of products. Neither: it is for everything.
  categories text[],
  products text[],
  -- How many rows of discount_uses are held or used. Whoever changes one of them has locked this row, so that the last use
  -- is given to one checkout.
  used integer not null default 0 check (used >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80); -- The count changes at every checkout.
-- A merchant looks at the newest first.
create index discounts_newest on discounts (created_at desc, id desc);

-- One row a cart and discount. Id and generation together are the claim, as with reservations (docs/decisions/0003): a use
-- that was given back and is held anew counts its generation up.
create table discount_uses (
  -- A hash of cart and discount.
  id text primary key,
  generation integer not null,
  -- No foreign key: what orders stand on outlives the code, and is forgotten in batches.
  discount_id bigint not null,
  code text not null,
  cart_id text not null,
  -- Whom the limit per customer counts; forgotten when the use is given back, and with the account.
  customer_id text,
  -- SHA-256 of the lower-case address.
  email_digest bytea,
  status text not null check (status in ('held', 'used', 'released')),
  held_at timestamptz not null,
  -- A hold that is older is settled by asking orders.
  expires_at timestamptz not null
) with (fillfactor = 80);
-- Whether a cart holds a use of its code, at every reading of the cart.
create unique index discount_uses_cart on discount_uses (cart_id, discount_id);
create index discount_uses_due on discount_uses (expires_at) where status = 'held';
-- The limit per customer.
create index discount_uses_email on discount_uses (discount_id, email_digest)
  where status <> 'released' and email_digest is not null;
-- The same, and to forget an account.
create index discount_uses_customer on discount_uses (customer_id, discount_id) where customer_id is not null;

-- In upper case; perhaps of a discount that is gone, until the cart is priced the next time.
alter table carts add column discount_code text;
