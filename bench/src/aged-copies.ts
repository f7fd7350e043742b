/** One table filled with history: a statement that adds the rows of the copies numbered from $1 to $2. */
export interface Fill {
  table: string
  sql: string
}

/** The share of buyers who have an account. */
const BUYERS_WITH_ACCOUNT = 0.75
const YEARS = 5

const FIRST_NAMES =
  'Ada,Alan,Amira,Ben,Carla,Chen,Dario,Edith,Emil,Fatima,Grace,Hugo,Ines,Jonas,Kwame,Lena,Marie,Noor,Olga,Pablo,Quinn,' +
  'Rosa,Sven,Tara,Umar,Vera,Wen,Xenia,Yusuf,Zoe'
const LAST_NAME_STARTS = 'An,Ber,Cor,Dal,Er,Fal,Gar,Hol,In,Jor,Kel,Lam,Mor,Nor,Ol,Per,Ros,Sal,Tor,Ul,Val,Wal,Yor,Zim'
const LAST_NAME_ENDS = 'berg,dahl,den,ford,gren,ham,ina,kova,lund,mann,ner,ova,rell,sen,son,ton'
/** Six of ten orders go to the first. */
const COUNTRIES = 'US,GB,DE,FR,NL,SE,DK,NO,IT,ES,PT,IE,AT,CH,BE,PL,CZ,FI,GR,JP,KR,AU,NZ,CA,MX,BR,ZA,AE,SG,IS'

/** Element `place` of a list, by a number of any size. */
const pick = (list: string, place: string) =>
  `(string_to_array('${list}', ','))[1 + (${place}) % ${list.split(',').length}]`

/** A number from 0 to 2^31 - 1 that is always the same for this text, and evenly spread. */
const hashed = (text: string) => `(hashtext(${text}) & 2147483647)`

/** An id whose first part is a time, as most ids of the shop are. */
export const timedId = (prefix: string, at: string, text: string) =>
  `'${prefix}_' || lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || substr(md5(${text}), 1, 20)`

/**
 * Orders that customers have placed, and what happened to each: paid today, sent in the last days, and delivered, or
 * cancelled, before.
 */
const ORIGINALS = `
  create unlogged table aged.originals as
  select id, cart_id, claim, number, placed_at, status, row_number() over (partition by status order by id) - 1 as place,
    count(*) over (partition by status) as originals
  from orders.orders`

/**
 * What differs between the copies of one order. Their ids are as they were before docs/decisions/0102: no two are
 * neighbors.
 */
const COPIES = `
  create unlogged table aged.copies as
  with numbered as (
    select copy, ${hashed(`'copy' || copy`)} as spread,
      now() - make_interval(secs => 3600 + ($1::int - copy + random()) / $1::int * ${YEARS} * 365 * 86400.0) as placed_at,
      1 + floor(power(${hashed(`'buyer' || copy`)} / 2147483648.0, 1.3) * $2::int / ${BUYERS_WITH_ACCOUNT})::int as buyer
    from generate_series(1, $1::int) copy
  ), staged as (
    select *, case when spread % 33 = 0 then 'cancelled' when placed_at > now() - interval '1 day' then 'paid'
      when placed_at > now() - interval '4 days' then 'fulfilled' else 'delivered' end as status
    from numbered
  )
  select copy, original.id as original, original.placed_at as original_at, original.cart_id as original_cart,
    original.claim as original_claim, original.number as original_number, staged.placed_at, staged.status, buyer,
    'order_' || md5('order' || copy) as order_id, 'cart_' || md5('cart' || copy) as cart_id,
    'res_' || md5('reservation' || copy) || substr(md5('rest' || copy), 1, 8) as reservation_id,
    'SF-' || (20000 + copy) as number, people.email, people.name, lpad((staged.spread % 100000)::text, 5, '0') as postcode,
    case when staged.spread % 10 < 6 then 'US' else ${pick(COUNTRIES, 'staged.spread / 10')} end as country,
    case when buyer <= $2::int and staged.spread % 5 > 0 then people.customer_id end as customer_id,
    case when copy % 2000 = 0 then 'out_of_stock' end as attention
  from staged join aged.people people using (buyer)
    join aged.originals original on original.status = staged.status and original.place = copy % original.originals`

const PEOPLE = `
  create unlogged table aged.people as
  with numbered as (
    select buyer, ${hashed(`'name' || buyer`)} as spread,
      now() - make_interval(days => 1 + ${hashed(`'since' || buyer`)} % (${YEARS} * 365)) as since
    from generate_series(1, ceil($1::int / ${BUYERS_WITH_ACCOUNT})::int + 1) buyer
  ), named as (
    select *, ${pick(FIRST_NAMES, 'spread')} as first_name,
      ${pick(LAST_NAME_STARTS, 'spread / 30')} || ${pick(LAST_NAME_ENDS, 'spread / 720')} as last_name
    from numbered
  )
  select *, first_name || ' ' || last_name as name,
    lower(first_name || '.' || last_name) || buyer || '@example.com' as email, ${timedId('cus', 'since', `'customer' || buyer`)} as customer_id
  from named`

/** Tables that only the fills read, in a schema that is dropped afterwards. */
export const COPY_TABLES: readonly { sql: string; needs: readonly ('orders' | 'customers')[] }[] = [
  { sql: 'create schema aged', needs: [] },
  { sql: PEOPLE, needs: ['customers'] },
  { sql: 'create unique index on aged.people (buyer)', needs: [] },
  { sql: ORIGINALS, needs: [] },
  { sql: COPIES, needs: ['orders', 'customers'] },
  { sql: 'create unique index on aged.copies (copy)', needs: [] },
  { sql: 'analyze aged.people, aged.originals, aged.copies', needs: [] },
]

/**
 * A time of the original order, moved to the copy: what took seconds there takes hours here, and nothing is in the
 * future. Null stays null, which `least` would ignore.
 */
export const movedTime = (column: string) =>
  `case when ${column} is not null then least(now(), c.placed_at + (${column} - c.original_at) * 10000) end`
