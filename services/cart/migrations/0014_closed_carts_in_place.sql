-- All carts of a customer, whatever their status: each purchase changes the status of a cart, and while the condition of an index named
-- the status, that wrote a new entry into every index. A customer has few carts, because they are deleted when they expire.
create index carts_of_customer on carts (customer_id, created_at desc) where customer_id is not null;
drop index carts_customer, carts_converted;
alter index carts_of_customer rename to carts_customer;
