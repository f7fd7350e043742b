import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  Discount,
  DiscountInput,
  DiscountsImported,
  eventSubject,
  ListDiscounts,
  newId,
  type ImportMode,
} from '@storefront/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consumed } from './events.ts'
import { simulateOrders, type Orders } from './orders.ts'
import { createShop, type Shop } from './shop.ts'

let shop: Shop
let catalog: Messaging
let orders: Orders
let number = 0

beforeAll(async () => {
  shop = await createShop()
  catalog = await shop.suite.openMessaging('catalog')
  orders = await simulateOrders(shop)
  await shop.shelf.put('var_m', { inventory: 100 })
})
afterAll(() => shop.stop())
beforeEach(async () => {
  await shop.suite.sql('delete from cart.discounts')
  number += 10
})

const percent = (code: string, value = 10, change: object = {}) =>
  DiscountInput.parse({ code, kind: 'percent', value, ...change })

const AT = '2026-01-02T03:04:05.678Z'

interface PartOptions {
  actor?: string
  part?: number
  parts?: number
  mode?: ImportMode
  eventId?: string
  importId?: string
  at?: string
}

/** Publishes a part of an import, as catalog does. @returns the id of the event */
function publishPart(
  importNumber: number,
  discounts: DiscountInput[],
  { part = 1, parts = 1, mode = 'merge', eventId, actor, importId = `imp_${importNumber}`, at = AT }: PartOptions = {},
) {
  const data = {
    importId,
    number: importNumber,
    mode,
    part,
    parts,
    discounts,
    ...(actor !== undefined && { actor }),
  }
  const id = eventId ?? newId('event')
  const envelope = { id, name: DiscountsImported.name, at, data }
  catalog.connection().publish(eventSubject(shop.suite.namespace, DiscountsImported), JSON.stringify(envelope))
  return id
}
async function published(...all: string[]) {
  await (await catalog.opened).flush()
  await consumed(shop, ...new Set(all))
}
async function listed() {
  const all: DiscountInput[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: typeof ListDiscounts.reply._output = await sendRequest(catalog, ListDiscounts, { after, limit: 200 })
    all.push(...page.discounts)
    after = page.next
  }
  return all
}
const values = async () => Object.fromEntries((await listed()).map(({ code, value }) => [code, value]))
const imported = async () => (await sendRequest(catalog, ListDiscounts, { limit: 0 })).imported

describe('discounts of an import', () => {
  test('are listed as they were written, by their codes', async () => {
    const full = percent('FULL', 15, {
      label: '',
      active: false,
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-02-01T00:00:00.123Z',
      minSubtotal: 1_000_000_000_000,
      usageLimit: 500,
      perCustomerLimit: 2,
      categories: [],
      products: ['shirt', 'a "quoted", {braced} one'],
    })
    const ship = DiscountInput.parse({ code: 'ALL', kind: 'shipping' })
    await published(publishPart(number, [full, ship]))
    expect(await listed()).toEqual([ship, full])
    expect(await imported()).toBe(number)
  })

  test('come in pages, none twice and none left out', async () => {
    const many = Array.from({ length: 401 }, (_, index) => percent(`P${index}`))
    await published(
      ...[1, 2, 3].map((part) => publishPart(number, many.slice((part - 1) * 200, part * 200), { part, parts: 3 })),
    )
    const codes = (await listed()).map(({ code }) => code)
    expect(codes.toSorted()).toEqual(many.map(({ code }) => code).toSorted())
  })

  test('take effect together, in whatever order and however often the parts come', async () => {
    await published(publishPart(number, [percent('OLD')]))
    const replacing = { parts: 3, mode: 'replace' as const }
    const again = publishPart(number + 1, [percent('C')], { ...replacing, part: 3 })
    await published(again, publishPart(number + 1, [percent('A')], { ...replacing, part: 1 }))
    await published(
      publishPart(number + 1, [percent('C')], { ...replacing, part: 3 }),
      publishPart(number + 1, [percent('C')], { ...replacing, part: 3, eventId: again }),
    )
    expect(await values()).toEqual({ OLD: 10 })
    expect(await imported()).toBe(number)
    await published(publishPart(number + 1, [percent('B')], { ...replacing, part: 2 }))
    expect(await values()).toEqual({ A: 10, B: 10, C: 10 })
    // A repeated event: a code that a merchant deleted meanwhile is not restored.
    await shop.suite.sql(`delete from cart.discounts where code = 'B'`)
    await published(publishPart(number + 1, [percent('B')], { ...replacing, part: 2 }))
    expect(await values()).toEqual({ A: 10, C: 10 })
    expect(await shop.suite.sql('select 1 from cart.discount_import_parts')).toEqual([])
  })

  test('are recorded in the audit for each discount that changes, with the actor of the import', async () => {
    const times = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-02-01T00:00:00.123Z' }
    const same = percent('SAME', 10, { ...times, categories: ['coats'], usageLimit: 5 })
    await published(
      publishPart(number, [same, percent('CHANGED', 10, { label: 'Spring', minSubtotal: 100 }), percent('GONE')]),
    )
    await shop.suite.sql('delete from cart.audit_entries')
    const changed = percent('CHANGED', 20, { label: 'Spring', perCustomerLimit: 1 })
    const replacing = { mode: 'replace' as const, actor: 'user_ada' }
    await published(publishPart(number + 1, [same, changed, percent('NEW', 5, times)], replacing))
    const headers = shop.suite.headers.admin(['discounts:write'])
    const { body } = await shop.call('GET', '/admin/discounts/audit', undefined, headers)
    const entry = { action: 'import', actor: 'user_ada' }
    expect(body).toMatchObject({
      total: 3,
      items: [
        { ...entry, subject: { id: 'GONE' }, before: percent('GONE'), after: null },
        { ...entry, subject: { id: 'NEW' }, before: null, after: percent('NEW', 5, times) },
        {
          ...entry,
          subject: { id: 'CHANGED' },
          before: { value: 10, minSubtotal: 100 },
          after: { value: 20, perCustomerLimit: 1 },
        },
      ],
    })
    await published(publishPart(number + 2, [same, changed, percent('NEW', 5, times)], replacing))
    expect(await shop.suite.sql('select 1 from cart.audit_entries')).toHaveLength(3)
  })

  test('of an earlier import do not change those that a later one wrote', async () => {
    await published(publishPart(number + 2, [percent('BOTH', 2)]))
    await published(publishPart(number + 1, [percent('BOTH', 1), percent('FIRST', 1)]))
    expect(await values()).toEqual({ BOTH: 2, FIRST: 1 })
    await published(publishPart(number, [percent('BOTH', 3), percent('LAST', 3)], { mode: 'replace' }))
    expect(await values()).toEqual({ BOTH: 2, FIRST: 1, LAST: 3 })
    expect(await imported()).toBe(number + 2)
  })

  test('of an earlier import change nothing after all were replaced', async () => {
    await published(publishPart(number, [percent('A')], { parts: 2 }))
    await published(publishPart(number + 1, [], { mode: 'replace' }))
    await published(publishPart(number, [percent('B')], { part: 2, parts: 2 }))
    expect(await values()).toEqual({})
  })

  test('of an incomplete import are dropped when a later import has its number', async () => {
    const restored = { importId: 'imp_restored', at: '2026-01-02T04:00:00.000Z', parts: 2 }
    await published(publishPart(number, [percent('BEFORE')], { parts: 2 }))
    await published(publishPart(number, [percent('FIRST')], restored))
    await published(publishPart(number, [percent('BEFORE')], { part: 2, parts: 2 }))
    expect(await values()).toEqual({})
    await published(publishPart(number, [percent('SECOND')], { ...restored, part: 2 }))
    expect(await values()).toEqual({ FIRST: 10, SECOND: 10 })
    await published(publishPart(number, [percent('BEFORE')], { parts: 2 }))
    expect(await values()).toEqual({ FIRST: 10, SECOND: 10 })
    expect(await imported()).toBe(number)
  })

  test('that exist already keep their redemptions, and deleted ones do not block orders', async () => {
    await published(publishPart(number, [percent('KEPT', 10, { usageLimit: 2 }), percent('GONE')]))
    const held = async (code: string) => {
      const cart = await shop.cartWith({ var_m: 1 })
      expect((await shop.call('POST', `/carts/${cart.id}/discount`, { code })).status).toBe(200)
      return { id: cart.id, claim: (await orders.hold(cart.id)).discountClaim ?? '' }
    }
    const [kept, gone] = [await held('KEPT'), await held('GONE')]
    await published(publishPart(number + 1, [percent('KEPT', 20, { usageLimit: 1 })], { mode: 'replace' }))
    const admin = shop.suite.headers.admin(['discounts:write'])
    const found = async () => Discount.parse((await shop.call('GET', '/admin/discounts/KEPT', undefined, admin)).body)
    expect(await found()).toMatchObject({ value: 20, usageLimit: 1, used: 1 })
    await orders.placed(gone.id, gone.claim)
    await orders.placed(kept.id, kept.claim)
    await orders.cancelled(kept.id, kept.claim)
    expect((await found()).used).toBe(0)
    expect(await shop.suite.deadLetters()).toEqual([])
  })
})
