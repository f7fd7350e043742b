-- Who showed when that mails to an address reach them. A guest order belongs to whoever could say so last when it was
-- placed, or else to the first who could afterwards: so an address that goes over to somebody else takes no older order
-- along, and the news may come in any order. A row is one piece of news.
create table customer_emails (
  -- In lower case, as lower() of this database makes it.
  email text not null,
  verified_at timestamptz not null,
  customer_id text not null,
  primary key (email, verified_at, customer_id)
);
-- The addresses of somebody who looks at his orders, and of somebody whose account is deleted.
create index customer_emails_customer on customer_emails (customer_id);

-- Accounts that are gone, for as long as there can be late news of their addresses.
create table former_customers (
  customer_id text primary key,
  deleted_at timestamptz not null
);

-- Guest orders of a verified address, newest first.
create index orders_guest_email on orders (lower(email), placed_at desc) where customer_id is null;
