-- Orders of an e-mail address, whoever placed them; a customer's guest orders are found by it as well.
create index orders_email_canonical on orders (email_canonical, placed_at desc);
drop index orders_email;
-- Orders whose address has to be read: there are hardly any.
create index orders_unread_email on orders (id) where email_canonical is null;
