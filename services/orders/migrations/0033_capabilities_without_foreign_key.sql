-- A secret is written for an order that was read or written in the same statement or just before, and no order is ever deleted. The check
-- of each row was a query and a lock of the order: four of the fourteen checks of a purchase, one of them in a transaction of its own for the
-- link in its mails. Orders are locked first, as in most transactions of the shop.
lock table orders in access exclusive mode;
alter table order_capabilities drop constraint order_capabilities_order_id_fkey;
