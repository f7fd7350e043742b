-- Who moved the stock: the id of an admin user or of a secret key. Null for what no merchant did by hand, such as a sale.
alter table stock_movements add column actor text;
