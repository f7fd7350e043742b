import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  CustomerDeleted,
  CustomerUnverified,
  CustomerVerified,
  listOf,
  newId,
  Order,
  ReadOrdersPersonalData,
} from '@storefront/contracts'
import { amount } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeAllAddresses } from '../src/addresses/canonicalize-addresses.ts'
import { findUnusableAddresses } from '../src/addresses/find-unusable-addresses.ts'
import { closeFormerAccounts } from '../src/customers/close-former-accounts.ts'
import type { Database } from '../src/database.ts'
import { publisher } from './events.ts'
import { BUYER, cookie, createShop, orderOf, errorOf, stopQueueing, type Shop } from './shop.ts'
import { openDatabase } from './webhooks.ts'

let shop: Shop
let identity: Messaging
let db: Database

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  identity = await shop.suite.openMessaging('identity')
  db = openDatabase(shop.suite)
})
afterAll(async () => {
  await db.destroy()
  await shop.stop()
})

const MINUTE_MS = 60_000
/** An hour ago plus this number of minutes, so that no event or order of a test is in the future. */
const minute = (minutes: number) => new Date(Date.now() - 60 * MINUTE_MS + minutes * MINUTE_MS)

const publishEvent = publisher(() => ({ shop, identity }))
const verified = (customerId: string, email: string, at: number, id?: string) =>
  publishEvent(CustomerVerified, { customerId, email }, minute(at), id)
const unverified = (customerId: string, at: number, id?: string) =>
  publishEvent(CustomerUnverified, { customerId }, minute(at), id)
const deleted = (customerId: string, at: number, id?: string) =>
  publishEvent(CustomerDeleted, { customerId }, minute(at), id)

/** Calls the timer as of a time at which no event of deleted accounts can still arrive. */
const close = () => closeFormerAccounts(db, new Date())
const customersOf = async (ids: readonly string[]) => {
  const rows = await shop.suite.sql<{ customer_id: string | null }>(
    'select customer_id from orders.orders where id = any($1) order by placed_at',
    [ids],
  )
  return rows.map((row) => row.customer_id)
}
const remembered = (customerId: string) =>
  shop.suite.sql(
    `select customer_id from orders.customer_emails where customer_id = $1
     union all select customer_id from orders.former_customers where customer_id = $1`,
    [customerId],
  )

const as = (customerId: string) => shop.suite.headers.customer(customerId)

/** An order, placed at this minute; by a guest unless a customer is given. */
async function place(email: string, at: number, customerId?: string) {
  const cart = shop.addCart({ var_m: 1 }, customerId === undefined ? {} : { customerId })
  const headers = customerId === undefined ? {} : as(customerId)
  const response = await shop.checkOut(cart.id, { ...BUYER, email }, headers)
  const { id, number } = orderOf(response)
  await shop.suite.sql('update orders.orders set placed_at = $2 where id = $1', [id, minute(at)])
  return { id, number, browser: response.browser }
}

const listed = async (customerId: string) => {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const response = await shop.call('GET', `/orders?per_page=48&page=${page}`, undefined, as(customerId))
    const { items, total } = listOf(Order).parse(response.body)
    ids.push(...items.map((order) => order.id))
    if (items.length > 0 && ids.length < total) continue
    expect(total).toBe(ids.length)
    return ids
  }
}
const opens = async (path: string, headers: object) =>
  (await shop.call('GET', `/orders/${path}`, undefined, headers)).status

/** Which of these orders a customer sees: in the list, one by one, and in the export of their data. */
async function seen(customerId: string, ids: readonly string[]) {
  const list = await listed(customerId)
  for (const id of ids) expect(await opens(id, as(customerId)), id).toBe(list.includes(id) ? 200 : 404)
  const { records } = await sendRequest(identity, ReadOrdersPersonalData, { customerId })
  expect(records.map(({ record }) => String(record['id'])).toSorted()).toEqual(list.toSorted())
  return list.filter((id) => ids.includes(id))
}

describe('guest orders', () => {
  test('belong to the customer once the address is verified, in any spelling, including future ones', async () => {
    const own = await place('ada@mail.example', 1, 'cus_ada')
    const before = await place('Ada@Mail.Example', 2)
    const foreign = await place('eve@mail.example', 3)
    expect(await seen('cus_ada', [own.id, before.id, foreign.id])).toEqual([own.id])
    const id = newId('event')
    await verified('cus_ada', 'ADA@mail.example', 4, id)
    await verified('cus_ada', 'ADA@mail.example', 4, id)
    await verified('cus_ada', 'ada@mail.example', 5)
    const after = await place('ada@MAIL.example', 6)
    const all = [after.id, before.id, own.id]
    expect(await seen('cus_ada', [...all, foreign.id])).toEqual(all)
    expect(await opens(before.number, as('cus_ada'))).toBe(200)
    expect(await seen('cus_eve', all)).toEqual([])
  })

  test('are still seen by the browser that placed them, unless another customer is signed in on it', async () => {
    const { id, browser } = await place('browser@mail.example', 1)
    await verified('cus_browser', 'browser@mail.example', 2)
    expect(await opens(id, cookie(browser))).toBe(200)
    expect(await opens(id, { ...cookie(browser), ...as('cus_browser') })).toBe(200)
    expect(await opens(id, { ...cookie(browser), ...as('cus_stranger') })).toBe(404)
    expect(await opens(id, {})).toBe(404)
    expect(await opens(id, shop.suite.headers.admin())).toBe(404)
  })

  test('are never orders that another customer placed while signed in, whatever address was given', async () => {
    const { id } = await place('shared@mail.example', 1, 'cus_giver')
    await verified('cus_shared', 'shared@mail.example', 2)
    expect(await seen('cus_shared', [id])).toEqual([])
    expect(await seen('cus_giver', [id])).toEqual([id])
  })

  test('are not given to an address that only looks like the one of the order', async () => {
    const { id } = await place('under_score@mail.example', 1)
    for (const email of ['under%', 'underXscore@mail.example', 'under_score@ma\u0130l.example', '%']) {
      await verified('cus_like', email, 2)
    }
    expect(await seen('cus_like', [id])).toEqual([])
  })
})

describe('the canonical form of an address', () => {
  test('separates addresses that lower() of the database takes for equal', async () => {
    const { id } = await place('victim@gmail.test', 1)
    for (const [index, email] of ['victim@gma\u0130l.test', 'v\u0130ctim@gmail.test'].entries()) {
      await verified(`cus_attacker_${index}`, email, 2)
      expect(await seen(`cus_attacker_${index}`, [id])).toEqual([])
    }
    await verified('cus_victim', 'victim@gmail.test', 3)
    expect(await seen('cus_victim', [id])).toEqual([id])
  })

  test('is the same for all spellings of an international domain', async () => {
    const { id } = await place('ada@M\u00dcNCHEN.example', 1)
    await verified('cus_munich', 'ada@xn--mnchen-3ya.example', 2)
    expect(await seen('cus_munich', [id])).toEqual([id])
  })

  test('is computed for orders of an older version, except for an invalid address, which is counted', async () => {
    const [readable, unreadable, plain] = [
      await place('one@mail.example', 1),
      await place('two@mail.example', 1),
      await place('three@mail.example', 1),
    ]
    const write = (id: string, email: string) =>
      shop.suite.sql('update orders.orders set email = $2, email_canonical = null where id = $1', [id, email])
    await write(readable.id, 'OLD@m\u00fcnchen.example')
    await write(unreadable.id, 'old\u200b@mail.example')
    await write(plain.id, 'Old@Plain.example')
    await canonicalizeAllAddresses(db)
    const rows = await shop.suite.sql<{ email_canonical: string | null }>(
      'select email_canonical from orders.orders where id = any($1) order by array_position($1, id)',
      [[readable.id, unreadable.id, plain.id]],
    )
    expect(rows.map((row) => row.email_canonical)).toEqual(['old@xn--mnchen-3ya.example', null, 'old@plain.example'])
    const { faults, total } = await findUnusableAddresses(db)
    expect(faults).toEqual([{ subject: unreadable.id, message: expect.stringContaining('is invalid') }])
    expect(total).toBe(1)
    await write(unreadable.id, 'two@mail.example')
  })
})

describe('a verification that is revoked', () => {
  test('removes the guest orders with its address from the customer, and restores none with an earlier address', async () => {
    const earlier = await place('earlier@mail.example', 1)
    await verified('cus_former', 'earlier@mail.example', 2)
    await verified('cus_former', 'later@mail.example', 3)
    const [later, tooLate] = [await place('later@mail.example', 4), await place('earlier@mail.example', 4)]
    const all = [later.id, earlier.id, tooLate.id]
    expect(await seen('cus_former', all)).toEqual([later.id, earlier.id])
    const id = newId('event')
    await unverified('cus_former', 5, id)
    await unverified('cus_former', 5, id)
    expect(await seen('cus_former', all)).toEqual([earlier.id])
    await verified('cus_owner', 'later@mail.example', 6)
    expect(await seen('cus_owner', all)).toEqual([later.id])
    await verified('cus_former', 'earlier@mail.example', 7)
    expect(await seen('cus_former', all)).toEqual([tooLate.id, earlier.id])
  })
})

/** Every sequence in which three events can arrive. */
const SEQUENCES_OF_THREE = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const

describe('an address that another customer verifies', () => {
  const STORY = [
    ['cus_first', 10],
    ['cus_second', 20],
    ['cus_first', 30],
  ] as const

  test.each(SEQUENCES_OF_THREE)(
    'leaves older orders with its former owner, consumed in the order %i, %i, %i',
    async (...order) => {
      const name = order.join('')
      const email = `moving${name}@mail.example`
      const customerIdOf = (customer: string) => `${customer}_${name}`
      const placed: string[] = []
      for (const at of [5, 15, 25, 35]) placed.push((await place(email, at)).id)
      for (const index of order) {
        const [customer = '', at = 0] = STORY[index]
        await verified(customerIdOf(customer), email, at)
      }
      const [oldest = '', old = '', young = '', youngest = ''] = placed
      expect(await seen(customerIdOf('cus_first'), placed)).toEqual([youngest, old, oldest])
      expect(await seen(customerIdOf('cus_second'), placed)).toEqual([young])
    },
  )
})

describe('an address that its customer has left for another one', () => {
  test('gives that customer no orders of its new owners, whether they verify it or not', async () => {
    const mine = await place('left@mail.example', 5)
    await verified('cus_mover', 'Left@mail.example', 10)
    const between = await place('left@mail.example', 15)
    await verified('cus_mover', 'new@mail.example', 20)
    const foreign = await place('left@mail.example', 25)
    const own = await place('new@mail.example', 26)
    const ids = [own.id, foreign.id, between.id, mine.id]
    expect(await seen('cus_mover', ids)).toEqual([own.id, between.id, mine.id])
    expect(await seen('cus_new_holder', ids)).toEqual([])
    await verified('cus_new_holder', 'left@mail.example', 30)
    const later = await place('left@mail.example', 35)
    expect(await seen('cus_new_holder', [later.id, ...ids])).toEqual([later.id, foreign.id])
    expect(await seen('cus_mover', [later.id, ...ids])).toEqual([own.id, between.id, mine.id])
  })

  test('belongs to the customer again after a change back', async () => {
    await verified('cus_returns', 'back@mail.example', 10)
    await verified('cus_returns', 'elsewhere@mail.example', 20)
    await verified('cus_guest_between', 'back@mail.example', 22)
    const between = await place('back@mail.example', 25)
    await verified('cus_guest_between', 'gone@mail.example', 28)
    await verified('cus_returns', 'back@mail.example', 30)
    const after = await place('back@mail.example', 35)
    expect(await seen('cus_returns', [after.id, between.id])).toEqual([after.id])
    expect(await seen('cus_guest_between', [after.id, between.id])).toEqual([between.id])
  })

  test('stays with the customer, who verifies another spelling of it', async () => {
    await verified('cus_spells', 'spells@mail.example', 10)
    await verified('cus_spells', 'Spells@Mail.example', 20)
    const { id } = await place('spells@mail.example', 25)
    expect(await seen('cus_spells', [id])).toEqual([id])
  })

  test.each(SEQUENCES_OF_THREE)(
    'leaves later orders to its next owner when the account is deleted, consumed in the order %i, %i, %i',
    async (...order) => {
      const name = order.join('')
      const [email, customer] = [`quits${name}@mail.example`, `cus_quits${name}`]
      const placed: string[] = []
      for (const at of [5, 15, 25, 45]) placed.push((await place(email, at)).id)
      const update = [
        () => verified(customer, email, 10),
        () => verified(customer, `next.${email}`, 20),
        () => deleted(customer, 40),
      ]
      for (const index of order) await update[index]?.()
      await verified(`${customer}_heir`, email, 50)
      const [oldest = '', old = '', young = '', youngest = ''] = placed
      const ids = [youngest, young, old, oldest]
      expect(await seen(`${customer}_heir`, ids)).toEqual([youngest, young])
      await close()
      expect(await customersOf(ids)).toEqual([customer, customer, null, null])
      expect(await remembered(customer)).toEqual([])
      expect(await seen(`${customer}_heir`, ids)).toEqual([youngest, young])
    },
  )
})

describe('when an account is deleted', () => {
  test('its orders stay its own permanently, and a new account with the address starts with none', async () => {
    const own = await place('leaver@mail.example', 1, 'cus_leaver')
    const guest = await place('Leaver@mail.example', 2)
    await verified('cus_leaver', 'leaver@mail.example', 3)
    const id = newId('event')
    await deleted('cus_leaver', 10, id)
    await deleted('cus_leaver', 10, id)
    await deleted('cus_leaver', 11)
    await verified('cus_heir', 'leaver@mail.example', 12)
    const later = await place('leaver@mail.example', 13)
    const ids = [later.id, guest.id, own.id]
    expect(await seen('cus_heir', ids)).toEqual([later.id])
    await close()
    expect(await customersOf(ids)).toEqual(['cus_leaver', 'cus_leaver', null])
    expect(await remembered('cus_leaver')).toEqual([])
    expect(await seen('cus_heir', ids)).toEqual([later.id])
    expect(await opens(guest.id, cookie(guest.browser))).toBe(404)
  })

  test('it is remembered for as long as its events may arrive, and no longer', async () => {
    await verified('cus_recent', 'recent@mail.example', 1)
    await deleted('cus_recent', 10)
    await closeFormerAccounts(db, minute(9))
    expect(await remembered('cus_recent')).toHaveLength(2)
    await closeFormerAccounts(db, minute(11))
    expect(await remembered('cus_recent')).toEqual([])
  })

  test('all of many deleted accounts are finished', async () => {
    await shop.suite.sql(
      `insert into orders.former_customers (customer_id, deleted_at)
       select 'cus_many_' || n, now() - interval '1 hour' from generate_series(1, 250) as n`,
    )
    await Promise.all([close(), close()])
    const rows = await shop.suite.sql(`select 1 from orders.former_customers where customer_id like 'cus_many_%'`)
    expect(rows).toEqual([])
  })

  test.each(SEQUENCES_OF_THREE)(
    'orders that were placed after another customer verified the address stay open, consumed in the order %i, %i, %i',
    async (...order) => {
      const name = order.join('')
      const email = `moved${name}@mail.example`
      const [older, newer] = [await place(email, 5), await place(email, 15)]
      const update = [
        () => verified(`cus_older${name}`, email, 1),
        () => verified(`cus_newer${name}`, email, 10),
        () => deleted(`cus_older${name}`, 20),
      ]
      for (const index of order) await update[index]?.()
      expect(await seen(`cus_newer${name}`, [older.id, newer.id])).toEqual([newer.id])
      await close()
      expect(await customersOf([older.id, newer.id])).toEqual([`cus_older${name}`, null])
      expect(await seen(`cus_newer${name}`, [older.id, newer.id])).toEqual([newer.id])
    },
  )

  test('all events may arrive at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `moment${round}@mail.example`
      const [mine, foreign] = [await place(email, 1), await place(email, 8)]
      const customer = `cus_moment${round}`
      await Promise.all([
        verified(customer, email, 5),
        verified(customer, `next.${email}`, 7),
        deleted(customer, 10),
        verified(`cus_after${round}`, email, 12),
      ])
      expect(await seen(`cus_after${round}`, [mine.id, foreign.id])).toEqual([foreign.id])
    }
  })
})

describe('the data of orders about a customer', () => {
  test('are all orders as the customer sees them, own and guest ones, in pages that fit into a message', async () => {
    const own = await place('pages@mail.example', 1, 'cus_pages')
    const guest = await place('pages@mail.example', 2)
    await verified('cus_pages', 'pages@mail.example', 3)
    const queueAgain = await stopQueueing(shop.suite)
    await shop.suite.sql(
      `insert into orders.orders (id, number, cart_id, customer_id, email, status, placed_at, document,
         payment_provider, payment_status, payment_reference, claim)
       select id || '_' || n, number || '-' || n, cart_id || n, customer_id, email, status, placed_at,
         jsonb_set(document, '{shippingMethod}', to_jsonb(repeat('x', 20000))), payment_provider, payment_status,
         'secret reference', claim || n
       from orders.orders, generate_series(1, 40) as n where id = any($1)`,
      [[own.id, guest.id]],
    )
    await queueAgain()
    const ids: unknown[] = []
    let after: string | undefined
    do {
      const request = { customerId: 'cus_pages', ...(after === undefined ? {} : { after }) }
      const reply = await sendRequest(identity, ReadOrdersPersonalData, request)
      expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(260_000)
      expect(JSON.stringify(reply)).not.toMatch(/secret reference|claim/)
      for (const { kind, record } of reply.records) {
        expect(kind).toBe('order')
        ids.push(Order.parse(record).id)
      }
      after = reply.next
    } while (after !== undefined)
    expect(ids).toHaveLength(82)
    expect(new Set(ids).size).toBe(82)
    expect(await listed('cus_pages')).toHaveLength(82)
    expect(await sendRequest(identity, ReadOrdersPersonalData, { customerId: 'cus_nobody' })).toEqual({ records: [] })
  })
})

test('thousands of them are read page by page, each once', async () => {
  const { id } = await place('many@mail.example', 5)
  await verified('cus_many', 'many@mail.example', 6)
  const queueAgain = await stopQueueing(shop.suite)
  await shop.suite.sql(
    `insert into orders.orders (id, number, cart_id, customer_id, email, status, placed_at, document,
       payment_provider, payment_status, claim)
     select id || '_' || n, number || '-' || n, cart_id || n, null, email, status, placed_at + n * interval '1 ms',
       document, payment_provider, payment_status, claim || n
     from orders.orders, generate_series(1, $2) as n where id = $1`,
    [id, amount({ quick: 2000, long: 50_000 })],
  )
  await queueAgain()
  await shop.suite.sql('analyze orders.orders')
  const ids = new Set<unknown>()
  let after: string | undefined
  for (let page = 0; page < 20; page++) {
    const request = { customerId: 'cus_many', ...(after === undefined ? {} : { after }) }
    const reply = await sendRequest(identity, ReadOrdersPersonalData, request)
    for (const { record } of reply.records) ids.add(record['id'])
    after = reply.next
  }
  expect(ids.size).toBe(1000)
})

test('an order of another customer gets exactly the response of one that does not exist', async () => {
  const { id } = await place('words@mail.example', 1)
  await verified('cus_words', 'words@mail.example', 2)
  const outsider = errorOf(await shop.call('GET', `/orders/${id}`, undefined, as('cus_stranger')))
  expect(outsider).toEqual(errorOf(await shop.call('GET', '/orders/order_nothing', undefined, as('cus_stranger'))))
})
