-- How many orders there are of each kind, so that a list of a million orders is counted as fast as one of a thousand
-- (docs/decisions/0101).

-- What has changed a count and is not added to it yet. Added in the transaction of the change, as a row of its own: one row a day
-- would make every checkout wait for all others. src/counts/fold-counts.ts adds and deletes them, and a list adds them itself.
create table order_count_changes (
  id bigint generated always as identity primary key,
  -- On which the order was placed, in UTC.
  day date not null,
  country text not null,
  status text not null,
  payment_status text not null,
  -- Empty for an order that needs none.
  attention text not null,
  -- 1, or -1 for an order that is not of this kind any more.
  orders integer not null
);

create table order_count_days (
  day date not null,
  country text not null,
  status text not null,
  payment_status text not null,
  attention text not null,
  orders integer not null,
  primary key (day, country, status, payment_status, attention)
);

-- The same of all days: five years have fifty thousand rows above, and some hundred here.
create table order_count_totals (
  country text not null,
  status text not null,
  payment_status text not null,
  attention text not null,
  orders bigint not null,
  primary key (country, status, payment_status, attention)
);

-- A trigger, because the version before runs for a while beside the next one and does not know these tables.
create function count_order() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    insert into order_count_changes (day, country, status, payment_status, attention, orders)
    values (utc_day(old.placed_at), old.country, old.status, old.payment_status, coalesce(old.attention, ''), -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into order_count_changes (day, country, status, payment_status, attention, orders)
    values (utc_day(new.placed_at), new.country, new.status, new.payment_status, coalesce(new.attention, ''), 1);
  end if;
  return null;
end
$$;
create trigger count_new_order after insert or delete on orders for each row execute function count_order();
create trigger count_changed_order after update on orders for each row
  when ((new.placed_at, new.country, new.status, new.payment_status, new.attention)
    is distinct from (old.placed_at, old.country, old.status, old.payment_status, old.attention))
  execute function count_order();

-- The triggers lock the table until this transaction ends, so no order is missed and none is counted twice.
insert into order_count_days (day, country, status, payment_status, attention, orders)
select utc_day(placed_at), country, status, payment_status, coalesce(attention, ''), count(*) from orders group by 1, 2, 3, 4, 5;
insert into order_count_totals (country, status, payment_status, attention, orders)
select country, status, payment_status, attention, sum(orders) from order_count_days group by 1, 2, 3, 4;

-- By total, with the columns of the filters: orders that a filter does not want are skipped without reading the table.
create index orders_by_total_filtered on orders (total_minor, placed_at, id) include (status, attention, payment_status, country);
drop index orders_by_total;
alter index orders_by_total_filtered rename to orders_by_total;
analyze order_count_days, order_count_totals;
