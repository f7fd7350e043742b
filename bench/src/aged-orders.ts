import { movedTime, timedId, type Fill } from './aged-copies.ts'

/** The copies of this block. */
export const COPIES = 'from aged.copies c'
export const BLOCK = 'c.copy between $1::int and $2::int'

/** What orders stores of an order, except the tables that it computes from others. */
export const ORDER_FILLS: readonly Fill[] = [
  {
    table: 'orders.orders',
    sql: `
      insert into orders.orders (id, number, cart_id, customer_id, email, status, placed_at, document, payment_provider,
        payment_status, payment_method, payment_reference, claim, attention, tracking, captured_minor, refunded_minor,
        restocked_at, country, total_minor, email_canonical)
      select c.order_id, c.number, c.cart_id, c.customer_id, c.email, o.status, c.placed_at,
        o.document || jsonb_build_object('shippingAddress', o.document->'shippingAddress' ||
          jsonb_build_object('name', c.name, 'postalCode', c.postcode, 'country', c.country)),
        o.payment_provider, o.payment_status, o.payment_method, 'demo_' || c.order_id, c.reservation_id || '.1',
        c.attention, o.tracking, o.captured_minor, o.refunded_minor, ${movedTime('o.restocked_at')}, c.country,
        o.total_minor, c.email
      ${COPIES} join orders.orders o on o.id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.order_timeline',
    sql: `
      insert into orders.order_timeline (order_id, at, kind, actor, detail)
      select c.order_id, ${movedTime('t.at')}, t.kind, t.actor, t.detail
      ${COPIES} join orders.order_timeline t on t.order_id = c.original where ${BLOCK} order by c.copy, t.id`,
  },
  {
    table: 'orders.fulfilments',
    sql: `
      insert into orders.fulfilments (id, order_id, created_at, lines, tracking)
      select ${timedId('ful', movedTime('f.created_at'), 'c.order_id || f.id')}, c.order_id, ${movedTime('f.created_at')},
        f.lines, f.tracking
      ${COPIES} join orders.fulfilments f on f.order_id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.refunds',
    sql: `
      insert into orders.refunds (id, order_id, provider, payment_reference, amount_minor, currency, reason, restock,
        restocked, status, reference, created_at, settled_at, attempts, lines)
      select ${timedId('refund', movedTime('r.created_at'), 'c.order_id || r.id')}, c.order_id, r.provider, 'demo_' || c.order_id,
        r.amount_minor, r.currency, r.reason, r.restock, r.restocked, r.status, 'demo_' || md5(c.order_id || r.id),
        ${movedTime('r.created_at')}, ${movedTime('r.settled_at')}, r.attempts, r.lines
      ${COPIES} join orders.refunds r on r.order_id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.ordered_lines',
    sql: `
      insert into orders.ordered_lines (line_id, order_id)
      select ${timedId('line', 'c.placed_at', 'c.order_id || l.line_id')}, c.order_id
      ${COPIES} join orders.ordered_lines l on l.order_id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.order_capabilities',
    sql: `
      insert into orders.order_capabilities (order_id, secret_hash)
      select c.order_id, sha256(a.secret_hash || convert_to(c.order_id, 'UTF8'))
      ${COPIES} join orders.order_capabilities a on a.order_id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.payments',
    sql: `
      insert into orders.payments (provider, reference, order_id, status, amount_minor, currency, method, received_at)
      select p.provider, 'demo_' || c.order_id, c.order_id, p.status, p.amount_minor, p.currency, p.method,
        ${movedTime('p.received_at')}
      ${COPIES} join orders.payments p on p.order_id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.claims',
    // Older ones are deleted.
    sql: `
      insert into orders.claims (claim, verdict, decided_at)
      select c.reservation_id || '.1', 'ordered', c.placed_at
      ${COPIES} where ${BLOCK} and c.placed_at > now() - interval '30 days'`,
  },
  {
    table: 'orders.order_search',
    sql: `
      insert into orders.order_search (order_id, flagged, placed_at, status, words)
      select c.order_id, c.attention is not null, c.placed_at, c.status, array_to_tsvector(own.words || array[
        c.order_id, lower(c.number), substr(c.number, 4), c.postcode, 'demo_' || c.order_id, c.email, 'example.com', 'com']
        || string_to_array(lower(c.name), ' ') || array[split_part(c.email, '.', 2) || '.com'])
      ${COPIES} join (
        select s.order_id, array(select lexeme from unnest(tsvector_to_array(s.words)) lexeme
          where lexeme not like 'order@_%' escape '@' and lexeme not like 'demo@_%' escape '@' and lexeme not like '%@%'
            and lexeme not in (lower(o.number), substr(o.number, 4))) as words
        from orders.order_search s join orders.orders o on o.id = s.order_id join aged.originals originals on originals.id = o.id
        offset 0
      ) own on own.order_id = c.original where ${BLOCK}`,
  },
  {
    table: 'orders.buyer_orders',
    sql: `
      insert into orders.buyer_orders (order_id, email_canonical, placed_at, customer_id, counts, currency, revenue_minor)
      select id, email_canonical, o.placed_at, o.customer_id, o.status <> 'cancelled', document #>> '{total,currency}',
        captured_minor - refunded_minor
      ${COPIES} join orders.orders o on o.id = c.order_id where ${BLOCK}`,
  },
]

/** Statements for what orders computes from all its orders. */
export const ORDER_SUMS: readonly string[] = [
  `insert into orders.buyers (email_canonical, email, name, currency, customer_id, orders, revenue_minor, revenues, first_order_at,
     last_order_at)
   select email_canonical, email_canonical, p.name, max(b.currency), max(b.customer_id), count(*) filter (where counts),
     sum(revenue_minor), jsonb_build_object(max(b.currency), sum(revenue_minor)), min(placed_at), max(placed_at)
   from orders.buyer_orders b join aged.people p on p.email = b.email_canonical group by email_canonical, p.name`,
  'delete from orders.sales_days',
  `insert into orders.sales_days (day, currency, revenue_minor, refunded_minor, orders, units, checkouts, checkouts_paid)
   select orders.utc_day(placed_at), document #>> '{total,currency}', sum(captured_minor), sum(refunded_minor), count(*),
     sum(jsonb_array_length(document->'lines')), count(*), count(*)
   from orders.orders group by 1, 2`,
  'delete from orders.product_sales_days',
  `insert into orders.product_sales_days (day, currency, product, units, revenue_minor)
   select orders.utc_day(o.placed_at), line #>> '{lineTotal,currency}', p.id, sum((line->>'quantity')::int),
     sum((line #>> '{lineTotal,amount}')::bigint)
   from orders.orders o, jsonb_array_elements(o.document->'lines') line
     join orders.sold_products p on p.product = line->>'productId'
   group by 1, 2, 3`,
  'delete from orders.product_sales_months',
  `insert into orders.product_sales_months (month, currency, product, units, revenue_minor)
   select date_trunc('month', day)::date, currency, product, sum(units), sum(revenue_minor)
   from orders.product_sales_days group by 1, 2, 3`,
  'delete from orders.order_count_changes',
  'delete from orders.order_count_days',
  `insert into orders.order_count_days (day, country, status, payment_status, attention, orders)
   select orders.utc_day(placed_at), country, status, payment_status, coalesce(attention, ''), count(*)
   from orders.orders group by 1, 2, 3, 4, 5`,
  'delete from orders.order_count_totals',
  `insert into orders.order_count_totals (country, status, payment_status, attention, orders)
   select country, status, payment_status, attention, sum(orders) from orders.order_count_days group by 1, 2, 3, 4`,
]
