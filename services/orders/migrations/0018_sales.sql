-- Figures of sales by day, and by product (docs/decisions/0077). They follow from orders, refunds and checkouts, and are kept in
-- tables of their own, so that a year costs what a day costs.

-- What has changed the figures of a day and is not counted in them yet. Added in the transaction of the change, as a row of its
-- own: one row a day would make every checkout wait for all others. src/sales/fold-sales.ts counts and deletes them.
create table sales_changes (
  id bigint generated always as identity primary key,
  -- In UTC, as all days here.
  day date not null,
  currency text not null,
  revenue_minor bigint not null default 0,
  -- Negative for a refund that was reversed.
  refunded_minor bigint not null default 0,
  -- Begun.
  checkouts integer not null default 0,
  -- The order that was paid, which counts with its lines and as the result of its checkout.
  order_id text
);

create table sales_days (
  day date not null,
  currency text not null,
  -- What was paid that day, and what of any order was refunded that day, in minor units.
  revenue_minor bigint not null,
  refunded_minor bigint not null,
  -- Paid that day, with their units.
  orders integer not null,
  units integer not null,
  -- Begun that day, and those of them that were paid, on whatever day.
  checkouts integer not null,
  checkouts_paid integer not null,
  primary key (day, currency)
);

-- Products that were sold, as they were called when they were sold last. A number for each keeps the tables below small.
create table sold_products (
  id integer generated always as identity primary key,
  -- The id of the product, or its slug where lines of an older version have no id.
  product text not null unique,
  product_id text,
  slug text not null,
  title text not null,
  image jsonb
);

-- The same by product: units that were paid that day, and what their lines cost before discounts, shipping and tax.
create table product_sales_days (
  day date not null,
  currency text not null,
  -- In sold_products.
  product integer not null,
  units integer not null,
  revenue_minor bigint not null,
  primary key (day, currency, product)
);

-- Sums of whole months: with a thousand products a year has 12,000 rows here and 200,000 among the days.
create table product_sales_months (
  -- Its first day.
  month date not null,
  currency text not null,
  product integer not null,
  units integer not null,
  revenue_minor bigint not null,
  primary key (month, currency, product)
);

create function utc_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select (at at time zone 'utc')::date
$$;

-- Triggers, because the version before runs for a while beside the next one and does not know these tables.

-- A cart counts once, when the first payment page is opened for it. Callers hold the lock of the cart.
create function count_begun_session() returns trigger language plpgsql set search_path from current as $$
begin
  insert into sales_changes (day, currency, checkouts)
  select utc_day(new.created_at), new.document #>> '{total,currency}', 1
  where new.document #>> '{total,currency}' is not null
    and not exists (select from payment_sessions where cart_id = new.cart_id and id <> new.id);
  return null;
end
$$;
create trigger count_begun_session after insert on payment_sessions for each row execute function count_begun_session();

-- Or when an order is placed without a payment page.
create function count_begun_order() returns trigger language plpgsql set search_path from current as $$
begin
  insert into sales_changes (day, currency, checkouts)
  select utc_day(new.placed_at), new.document #>> '{total,currency}', 1
  where new.document #>> '{total,currency}' is not null
    and not exists (select from payment_sessions where cart_id = new.cart_id);
  return null;
end
$$;
create trigger count_begun_order after insert on orders for each row execute function count_begun_order();

-- An order has one such entry, however often its payment is reported. It is the only row that knows when the money arrived: a
-- payment keeps the time when it was authorized.
create function count_captured_payment() returns trigger language plpgsql set search_path from current as $$
begin
  insert into sales_changes (day, currency, revenue_minor, order_id)
  values (utc_day(new.at), new.detail->>'currency', (new.detail->>'amount')::bigint, new.order_id);
  return null;
end
$$;
create trigger count_captured_payment after insert on order_timeline for each row
  when (new.kind = 'payment_captured') execute function count_captured_payment();

-- A refund that is reversed is taken off the day on which it was counted.
create function count_refund() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' and old.status = 'succeeded' then
    insert into sales_changes (day, currency, refunded_minor)
    values (utc_day(coalesce(old.settled_at, old.created_at)), old.currency, -old.amount_minor);
  end if;
  if new.status = 'succeeded' then
    insert into sales_changes (day, currency, refunded_minor)
    values (utc_day(coalesce(new.settled_at, new.created_at)), new.currency, new.amount_minor);
  end if;
  return null;
end
$$;
-- The refund of a second payment takes nothing off the order.
create trigger count_refund after insert or update of status on refunds for each row
  when (not new.of_duplicate) execute function count_refund();

-- What was sold before. The triggers have stopped all writers of their tables by now, so that nothing is missed or counted twice.
-- They wait for 6 s of processor time with 200,000 orders, and for 9 s if sorts and joins go to disk.
set local work_mem = '64MB';

create temporary table paid_orders on commit drop as
select o.id, o.cart_id, o.captured_minor, utc_day(coalesce(t.at, p.received_at, o.placed_at)) as day,
  coalesce(p.currency, o.document #>> '{total,currency}') as currency
from orders o
  left join (
    select order_id, min(at) as at from order_timeline where kind = 'payment_captured' group by order_id
  ) t on t.order_id = o.id
  left join payments p on p.provider = o.payment_provider and p.reference = o.payment_reference and p.order_id = o.id
where o.payment_status in ('captured', 'partially_refunded', 'refunded')
  and o.document #>> '{total,currency}' is not null;

create temporary table sold_lines on commit drop as
select o.id as order_id, p.day, p.currency as paid_in, line #>> '{lineTotal,currency}' as currency,
  coalesce(line->>'productId', line->>'productSlug') as product, (line->>'quantity')::int as units,
  (line #>> '{lineTotal,amount}')::bigint as revenue_minor, line.ordinality as place
from paid_orders p join orders o on o.id = p.id
  cross join lateral jsonb_array_elements(o.document->'lines') with ordinality as line (line, ordinality);

insert into sold_products (product, product_id, slug, title, image)
select newest.product, line->>'productId', line->>'productSlug', line->>'title', line->'image'
from (select distinct on (product) product, order_id, place from sold_lines order by product, day desc, order_id, place) newest
  join orders o on o.id = newest.order_id
  cross join lateral (select o.document->'lines'->(newest.place::int - 1) as line) sold;

insert into product_sales_days (day, currency, product, units, revenue_minor)
select l.day, l.currency, p.id, sum(l.units), sum(l.revenue_minor)
from sold_lines l join sold_products p using (product) group by l.day, l.currency, p.id
-- Side by side, the rows of a day are in few pages.
order by l.day, l.currency, p.id;

insert into product_sales_months (month, currency, product, units, revenue_minor)
select date_trunc('month', day)::date, currency, product, sum(units), sum(revenue_minor)
from product_sales_days group by 1, currency, product order by 1, currency, product;

insert into sales_days (day, currency, revenue_minor, refunded_minor, orders, units, checkouts, checkouts_paid)
select day, currency, sum(revenue_minor), sum(refunded_minor), sum(orders), sum(units), sum(checkouts), sum(checkouts_paid)
from (
  select day, currency, captured_minor as revenue_minor, 0 as refunded_minor, 1 as orders, 0 as units, 0 as checkouts,
    0 as checkouts_paid
  from paid_orders
  union all
  select day, paid_in, 0, 0, 0, units, 0, 0 from sold_lines
  union all
  select utc_day(coalesce(settled_at, created_at)), currency, 0, amount_minor, 0, 0, 0, 0
  from refunds where status = 'succeeded' and not of_duplicate
  union all
  select utc_day(begun.at), begun.currency, 0, 0, 0, 0, 1, (p.id is not null)::int
  from (
    select first.cart_id, first.created_at as at, s.document #>> '{total,currency}' as currency
    from (
      select distinct on (cart_id) cart_id, created_at, id from payment_sessions order by cart_id, created_at
    ) first join payment_sessions s on s.id = first.id
    -- Of older ones only those that were paid are left, which would look like a shop where every checkout is paid.
    where first.created_at > now() - interval '30 days'
    union all
    select cart_id, placed_at, document #>> '{total,currency}' from orders o
    where not exists (select from payment_sessions s where s.cart_id = o.cart_id)
  ) begun left join paid_orders p on p.cart_id = begun.cart_id
  where begun.currency is not null
) figures
group by day, currency;

analyze sales_days, product_sales_days, product_sales_months, sold_products;

-- Orders of which money must be refunded: a merchant's first screen counts them.
create index orders_refund_due on orders (id) where attention = 'refund_due';
