-- When a product is published and when it is hidden by itself; null for never. The worker that carries it out sets the time
-- to null in the same transaction.
alter table products add column publish_at timestamptz, add column unpublish_at timestamptz;
-- What is due: few rows of many, looked for every second by every replica.
create index products_due on products (least(publish_at, unpublish_at))
  where least(publish_at, unpublish_at) is not null;
