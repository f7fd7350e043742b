-- One line of a cart belongs to one order. Lines keep their ids when a guest's cart is merged at sign-in, so the primary key
-- decides between checkouts of both carts. Lines that were ordered before this are left out: until now, what was not bought of a
-- line stayed in the cart under the id of what was.
create table ordered_lines (
  line_id text primary key,
  -- Without an index: orders are never deleted.
  order_id text not null references orders (id)
);
-- The ids of the lines that a session sells, with those of lines that went up in them.
alter table payment_sessions add column line_ids text[] not null default '{}';
-- Sessions that wait to sell a line that another checkout buys. Few wait at a time; without a pending list a search reads no more.
create index payment_sessions_lines on payment_sessions using gin (line_ids) with (fastupdate = off)
  where status in ('creating', 'open');
