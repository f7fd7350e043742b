-- Lists of the console with their filters, under a name. Each belongs to one admin user, and ends with them.
create table saved_views (
  id text primary key,
  admin_user_id text not null references admin_users on delete cascade,
  screen text not null check (screen in ('orders', 'products', 'customers', 'stock', 'discounts')),
  name text not null,
  -- The name in lower case: two that differ in case alone cannot be told apart in a menu.
  name_key text not null,
  query text not null,
  created_at timestamptz not null
);
-- Lists the views of a screen, and keeps a name from being used twice.
create unique index saved_views_name on saved_views (admin_user_id, screen, name_key);
