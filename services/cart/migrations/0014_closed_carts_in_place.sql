-- All carts of a customer, whatever their status: each purchase changes the status of a cart, and while the condition of an index named
-- the status, that wrote a new entry into every index. A customer has few carts, because they are deleted when they expire. The index
-- is dropped first: with the weaker lock of its creation before the strong one, a cart that is changed between them would be a deadlock.
drop index carts_customer, carts_converted;
create index carts_customer on carts (customer_id, created_at desc) where customer_id is not null;
