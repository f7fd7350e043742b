create table wishlist_entries (
  -- New for every saving and never used again: whoever counts savings can then tell late news from new.
  id text primary key,
  customer_id text not null references customers on delete cascade,
  product_id text not null,
  -- The product's slug when it was saved, and the one that was asked for, which may be a former one: an entry is found by
  -- either when catalog cannot say any more, or at the moment, which product that is.
  slug text not null,
  saved_under text not null,
  saved_at timestamptz not null,
  -- Order in which the customer saved them.
  position bigint generated always as identity
);
-- A product is on a wishlist once, whatever two requests at the same moment say. Also finds all entries of a customer.
create unique index wishlist_entries_product on wishlist_entries (customer_id, product_id);

-- A session that was revoked outlives its account, without naming it, until its token has run out: otherwise the deletion
-- of an account would take along what Redis has yet to be told, or to be told again, of its sessions.
alter table sessions drop constraint sessions_customer_id_fkey;
alter table sessions add constraint sessions_customer_id_fkey
  foreign key (customer_id) references customers on delete set null;
alter table sessions drop constraint sessions_check;
alter table sessions add constraint sessions_customer_named
  check (case when kind = 'customer' then customer_id is not null or revoked_at is not null else customer_id is null end);
