-- Every key that a merchant sent for an order, also for one that its cart had already: an order can have several. Keys that were stored
-- before this, or by an earlier version, are in orders.placement_key alone.
create table placement_keys (
  key text primary key,
  -- Without an index: orders are never deleted.
  order_id text not null references orders (id)
);
