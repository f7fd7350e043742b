import { movedTime, timedId, type Fill } from './aged-copies.ts'
import { BLOCK, COPIES } from './aged-orders.ts'

/** What is kept for a month only. */
const RECENT = `${BLOCK} and c.placed_at > now() - interval '30 days'`

/** What catalog, cart and notifier store of an order. */
export const OTHER_FILLS: readonly Fill[] = [
  {
    table: 'catalog.stock_movements',
    // A delivery of goods for each sale: the sum of all movements stays equal to the stock on hand.
    sql: `
      insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, reference, at, actor)
      select m.variant_id, moved.on_hand, moved.reserved, moved.kind, moved.reference, moved.at, null
      ${COPIES} join catalog.stock_movements m on m.reference = c.original_claim cross join lateral (
        select m.on_hand_delta, m.reserved_delta, m.kind, c.reservation_id || '.1', ${movedTime('m.at')}
        union all
        select -m.on_hand_delta, 0, 'adjusted', null, ${movedTime('m.at')} where m.on_hand_delta <> 0
      ) moved (on_hand, reserved, kind, reference, at) where ${BLOCK} order by c.copy`,
  },
  {
    table: 'catalog.purchases',
    sql: `
      insert into catalog.purchases (order_id, customer_id, product_ids, paid)
      select c.order_id, c.customer_id, case when c.customer_id is null then '{}'::text[] else products.ids end, true
      ${COPIES} join (
        select original.id, array_agg(distinct line->>'productId') as ids
        from aged.originals original join orders.orders o using (id), jsonb_array_elements(o.document->'lines') line
        group by original.id
      ) products on products.id = c.original where ${BLOCK}`,
  },
  {
    table: 'catalog.reservations',
    sql: `
      insert into catalog.reservations (id, generation, status, lines, expires_at)
      select c.reservation_id, r.generation, r.status, r.lines, c.placed_at + interval '10 minutes'
      ${COPIES} join catalog.reservations r on r.id || '.1' = c.original_claim where ${RECENT}`,
  },
  {
    table: 'cart.carts',
    // Four of five carts are left behind.
    sql: `
      insert into cart.carts (id, status, lines, version, created_at, expires_at, recent_keys)
      select case when other = 0 then c.cart_id else 'cart_' || md5(c.cart_id || other) end,
        case when other = 0 then k.status else 'open' end, k.lines, k.version, c.placed_at, c.placed_at + interval '30 days',
        k.recent_keys
      ${COPIES} join cart.carts k on k.id = c.original_cart, generate_series(0, 4) other where ${RECENT}`,
  },
  {
    table: 'notifier.mails',
    // The content of a mail is deleted after a month, its row after 400 days.
    sql: `
      insert into notifier.mails (id, event_id, kind, recipient, reference, data, event_at, phase, attempts, next_attempt_at,
        created_at, settled_at, customer_id)
      select ${timedId('mail', movedTime('m.event_at'), 'c.order_id || m.id')},
        ${timedId('evt', movedTime('m.event_at'), 'c.order_id || m.event_id')}, m.kind,
        case when is_recent then c.email else '' end, c.number, case when is_recent then m.data else '{}' end,
        ${movedTime('m.event_at')}, m.phase, m.attempts, ${movedTime('m.next_attempt_at')}, ${movedTime('m.created_at')},
        ${movedTime('m.settled_at')}, c.customer_id
      ${COPIES} join notifier.mails m on m.reference = c.original_number,
        lateral (select c.placed_at > now() - interval '30 days' as is_recent) age
      where ${BLOCK} and c.placed_at > now() - interval '400 days' order by c.copy`,
  },
  {
    table: 'notifier.deliveries',
    sql: `
      insert into notifier.deliveries (id, endpoint_id, event_id, type, body, subject, mergeable, version, status, attempts,
        next_attempt_at, last_status, created_at, settled_at)
      select ${timedId('dlv', movedTime('d.created_at'), 'c.order_id || d.id')}, d.endpoint_id,
        ${timedId('evt', movedTime('d.created_at'), 'c.order_id || d.event_id')}, d.type, d.body, 'order:' || c.order_id,
        d.mergeable, d.version, d.status, d.attempts, ${movedTime('d.next_attempt_at')}, d.last_status,
        ${movedTime('d.created_at')}, ${movedTime('d.settled_at')}
      ${COPIES} join notifier.deliveries d on d.subject = 'order:' || c.original where ${RECENT} order by c.copy`,
  },
]

const PEOPLE = 'from aged.people p where p.buyer between $1::int and $2::int'

/** What the services store of customers; the blocks are numbers of people. */
export const CUSTOMER_FILLS: readonly Fill[] = [
  {
    table: 'identity.customers',
    sql: `
      insert into identity.customers (id, email, password_hash, first_name, last_name, email_verified_at, created_at,
        email_canonical, marketing_opt_in)
      select customer_id, email, 'no password fits', first_name, last_name, since, since, email, spread % 3 = 0 ${PEOPLE}`,
  },
  {
    table: 'identity.addresses',
    sql: `
      insert into identity.addresses (id, customer_id, name, line1, line2, city, region, postal_code, country, phone, is_default)
      select ${timedId('addr', 'since', `'address' || buyer`)}, customer_id, name, 'Main Street ' || buyer % 200, '', 'Boston',
        'MA', lpad((spread % 100000)::text, 5, '0'), 'US', '', true ${PEOPLE}`,
  },
  {
    table: 'identity.wishlist_entries',
    sql: `
      insert into identity.wishlist_entries (id, customer_id, product_id, slug, saved_under, saved_at)
      select ${timedId('wish', 'since', `'wish' || buyer`)}, customer_id, product_id, slug, slug, since
      from aged.people p join lateral (
        select product_id, slug from orders.sold_products offset spread % (select count(*) from orders.sold_products) limit 1
      ) saved on true where p.buyer between $1::int and $2::int and spread % 3 = 0`,
  },
  {
    table: 'identity.newsletter_subscribers',
    sql: `
      insert into identity.newsletter_subscribers (email, subscribed_at, confirmed_at, email_canonical)
      select email, since, since, email ${PEOPLE} and spread % 3 = 0`,
  },
  {
    table: 'orders.customer_emails',
    sql: `insert into orders.customer_emails (email, verified_at, customer_id) select email, since, customer_id ${PEOPLE}`,
  },
]
