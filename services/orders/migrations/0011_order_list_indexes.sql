-- Measured with a million orders, PostgreSQL 18, warm: a page takes 13 ms and the counts of all statuses 35 ms; with a filter that
-- almost nothing passes both look at every entry of an index, which takes 90 ms each (docs/scaling.md).

-- Counts by status, without the table whatever else the list is filtered by. In the place of one that had the flagged orders
-- first and none of the columns that filters ask for.
create index orders_by_status on orders (status, placed_at, id) include (attention, payment_status, country);
drop index orders_list_by_status;
-- The list by time, the export, and filters that pass so few orders that all entries are read and sorted: 80 ms a million.
create index orders_by_time on orders (placed_at, id) include (status, attention, payment_status, country, total_minor);
-- The dearest and the cheapest first.
create index orders_by_total on orders (total_minor, placed_at, id);
-- Orders of an e-mail address, whoever placed them; a customer's guest orders are found by it as well.
create index orders_email on orders (lower(email), placed_at desc);
drop index orders_guest_email;

-- Until the planner knows how rare a country is, it walks the whole list for it.
analyze orders;
