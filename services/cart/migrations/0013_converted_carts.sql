-- Finds the carts of a deleted account that became orders, to remove its id from them. Without it every deletion of an account would
-- read all carts of the last weeks. A cart that becomes an order gets new entries in all indexes already, and one more here if it is a
-- customer's.
create index carts_converted on carts (customer_id) where status = 'converted' and customer_id is not null;
