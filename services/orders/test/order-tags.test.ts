import { Order } from '@storefront/contracts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BUYER, createShop, errorOf, orderOf, searchIndexed, type Shop } from './shop.ts'
import { timelineOf } from './timeline.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
})
afterAll(() => shop.stop())

const admin = () => shop.suite.headers.admin()
const place = async (buyer: object = {}) =>
  orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id, { ...BUYER, ...buyer }))
const change = (id: string, body: unknown) => shop.call('PATCH', `/admin/orders/${id}`, body, admin())
const tag = async (id: string, tags: string[]) => orderOf(await change(id, { tags })).tags
const show = async (id: string) => orderOf(await shop.call('GET', `/admin/orders/${id}`, undefined, admin()))
const list = async (query: string) =>
  z
    .object({ items: z.array(Order), total: z.int(), counts: z.record(z.string(), z.int()) })
    .parse((await shop.call('GET', `/admin/orders${query}`, undefined, admin())).body)
const steps = async (id: string) =>
  (await timelineOf(shop, id)).map(({ kind, actor, detail }) => ({ kind, actor, detail }))

describe('the tags of an order', () => {
  test('replace those before, trimmed and in the order in which they were given', async () => {
    const { id } = await place()
    expect((await show(id)).tags).toEqual([])
    expect(await tag(id, [' VIP ', 'gift\twrap', 'Zoë'])).toEqual(['VIP', 'gift wrap', 'Zoë'])
    expect(await tag(id, ['gift wrap', 'vip'])).toEqual(['gift wrap', 'vip'])
    expect((await steps(id)).filter(({ kind }) => kind === 'tags')).toEqual([
      { kind: 'tags', actor: 'user_test', detail: { added: ['VIP', 'gift wrap', 'Zoë'], removed: [] } },
      { kind: 'tags', actor: 'user_test', detail: { added: ['vip'], removed: ['VIP', 'Zoë'] } },
    ])
    expect(await tag(id, [])).toEqual([])
  })

  test('stay when other fields change, and an order that is sent back whole changes nothing', async () => {
    const { id } = await place()
    await tag(id, ['VIP'])
    const paid = orderOf(await change(id, { status: 'paid' }))
    expect(paid.tags).toEqual(['VIP'])
    const before = (await steps(id)).length
    expect(orderOf(await change(id, paid)).tags).toEqual(['VIP'])
    expect((await steps(id)).length).toBe(before)
  })

  test('are up to 20 of 1 to 40 characters, unique ignoring case', async () => {
    const { id } = await place()
    const many = Array.from({ length: 20 }, (_, each) => `${each}`.padEnd(40, 'x'))
    expect(await tag(id, many)).toEqual(many)
    for (const tags of [
      [...many, 'one more'],
      [''],
      ['  '],
      ['x'.repeat(41)],
      ['VIP', 'vip'],
      ['É', 'é '],
      'VIP',
      [5],
    ]) {
      expect(errorOf(await change(id, { tags })), JSON.stringify(tags)).toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    }
    expect((await show(id)).tags).toEqual(many)
  })
})

describe('the list of orders', () => {
  test('shows tags, and filters by one of them in any case, with counts, words and the other filters', async () => {
    const email = 'tags@mail.example'
    const orders = [await place({ email }), await place({ email }), await place({ email })]
    const [first = '', second = ''] = orders.map(({ id }) => id)
    await tag(first, ['Rush order', 'é'])
    await tag(second, ['rush ORDER'])
    await change(second, { status: 'paid' })
    const found = async (query: string) => (await list(query)).items.map(({ id }) => id)
    expect(await found('?tag=Rush%20Order')).toEqual([second, first])
    expect(await found('?tag=%C3%89&sort=oldest')).toEqual([first])
    expect(await found('?tag=rush')).toEqual([])
    expect(await list('?tag=rush%20order&status=paid')).toMatchObject({
      total: 1,
      items: [{ id: second, tags: ['rush ORDER'] }],
      counts: { placed: 1, paid: 1 },
    })
    expect((await list('?tag=')).total).toBeGreaterThan(2)
    await searchIndexed(shop.suite)
    expect(await found(`?q=${email}&tag=rush%20order`)).toEqual([second, first])
    expect(await found(`?q=nothing&tag=rush%20order`)).toEqual([])
    const tooLong = await shop.call('GET', `/admin/orders?tag=${'x'.repeat(41)}`, undefined, admin())
    expect(errorOf(tooLong)).toMatchObject({ status: 422, code: 'validation_failed' })
  })

  test('is exported with the tags, by the same filter', async () => {
    const { id, number } = await place()
    await tag(id, ['Export', 'two, parts'])
    await place()
    const { body } = await shop.orders.app.inject({ url: '/admin/orders/export?tag=export', headers: admin() })
    const rows = z.array(z.record(z.string(), z.string())).parse(parse(body, { bom: true, columns: true }))
    expect(rows).toMatchObject([{ Name: number, Tags: 'Export, two, parts' }])
  })
})
