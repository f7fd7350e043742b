-- A review that a customer wrote waits until a merchant publishes it or hides it: one that is not published is pending, or
-- hidden when this says so. Of a published one it means nothing, so that whoever publishes need not know of it.
alter table reviews add column hidden boolean not null default false;
-- Null for reviews that came with an import.
alter table reviews add column customer_id text;
-- A customer reviews a product once, however many requests say it at the same time.
create unique index reviews_customer on reviews (product_id, customer_id) where customer_id is not null;
-- The merchant's lists: of everything, of one product, and of what waits, which is little beside what is published. The one
-- by product also finds the reviews that go with a deleted product.
create index reviews_newest on reviews (created_at desc, id);
create index reviews_of_product on reviews (product_id, created_at desc, id);
create index reviews_unpublished on reviews (hidden, created_at desc, id) where not published;

-- What customers bought, for the mark of a verified review. The news that an order was placed and that it was paid may come
-- in any order, so either makes the row. Orders of guests have no customer.
create table purchases (
  order_id text primary key,
  customer_id text,
  product_ids text[] not null default '{}',
  paid boolean not null default false
);
-- For the question whether a customer bought a product.
create index purchases_customer on purchases (customer_id) where customer_id is not null;
