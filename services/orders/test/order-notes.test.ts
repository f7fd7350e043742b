import { replyTo, type Messaging } from '@storefront/messaging'
import { listOf, NamedActor, PERMISSIONS, ReadActorNames } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createShop, errorOf, orderOf, type Shop } from './shop.ts'

const Step = z.object({
  at: z.string(),
  kind: z.string(),
  label: z.string(),
  actor: z.string().optional(),
  by: NamedActor.optional(),
  detail: z.record(z.string(), z.unknown()),
})
let shop: Shop
let identity: Messaging

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  const { suite } = shop
  identity = await suite.openMessaging('identity')
  replyTo({ messaging: identity, log: suite.log, verifyActor: () => undefined }, ReadActorNames, async ({ ids }) => ({
    actors: ids.map((id) => ({ kind: 'user' as const, id, name: `Name of ${id}` })),
  }))
  await (await identity.opened).flush()
})
afterAll(() => shop.stop())

const ada = () => shop.suite.headers.adminUser('user_ada', ['orders:read', 'orders:write'])
const grace = () => shop.suite.headers.adminUser('user_grace', ['orders:read', 'orders:write'])
const owner = () => shop.suite.headers.adminUser('user_owner', [...PERMISSIONS])
const place = async () => orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id))
const write = (order: string, text: unknown, headers: object = ada()) =>
  shop.call('POST', `/admin/orders/${order}/notes`, { text }, headers)
const written = async (order: string, text: string, headers: object = ada()) => {
  const response = await write(order, text, headers)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Step.parse(response.body)
}
const remove = (order: string, id: unknown, headers: object = ada()) =>
  shop.call('DELETE', `/admin/orders/${order}/notes/${String(id)}`, undefined, headers)
const timeline = async (order: string) =>
  listOf(Step).parse((await shop.call('GET', `/admin/orders/${order}/timeline`, undefined, ada())).body).items
const texts = async (order: string) => (await timeline(order)).flatMap(({ detail }) => detail['text'] ?? [])

describe('a note about an order', () => {
  test('is in the timeline where it was written, with the name of its author', async () => {
    const { id, number } = await place()
    const first = await written(number.toLowerCase(), '  Rang the buyer.\r\nShe is away until May.\n')
    await shop.call('PATCH', `/admin/orders/${id}`, { status: 'fulfilled' }, grace())
    const second = await written(id, 'Sent early.', grace())
    const steps = await timeline(id)
    expect(steps.map(({ kind }) => kind)).toEqual(['placed', 'note', 'fulfilled', 'note'])
    expect(steps[1]).toEqual(first)
    expect(steps[3]).toEqual(second)
    expect(first).toMatchObject({
      label: 'A note was written.',
      actor: 'user_ada',
      by: { kind: 'user', id: 'user_ada', name: 'Name of user_ada' },
      detail: { id: expect.stringMatching(/^note_/), text: 'Rang the buyer.\nShe is away until May.' },
    })
  })

  test('is in the timeline of an order with too many entries, beside the latest others', async () => {
    const { id } = await place()
    const note = await written(id, 'Call before the delivery.')
    await shop.suite.sql(
      `insert into orders.order_timeline (order_id, at, kind, detail)
       select $1, now(), 'tags', jsonb_build_object('added', jsonb_build_array(each)) from generate_series(1, 1200) as each`,
      [id],
    )
    await shop.call('PATCH', `/admin/orders/${id}`, { status: 'fulfilled' }, grace())
    const [first, ...others] = await timeline(id)
    expect(first).toEqual(note)
    expect(others.map(({ kind, detail }) => detail['added'] ?? kind)).toEqual([
      ...Array.from({ length: 998 }, (_, index) => [index + 203]),
      'fulfilled',
    ])
  })

  test('is deleted by its author, and the text with it, while the timeline shows who deleted it', async () => {
    const { id } = await place()
    const { detail } = await written(id, 'A mistake with a telephone number.')
    await written(id, 'What stays.')
    expect(await remove(id, detail['id'])).toMatchObject({ status: 200, body: { ok: true } })
    const steps = await timeline(id)
    expect(steps.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['placed', undefined],
      ['note', 'user_ada'],
      ['note_deleted', 'user_ada'],
    ])
    expect(await texts(id)).toEqual(['What stays.'])
    const kept = await shop.suite.sql(
      `select (select string_agg(n::text, '') from orders.order_notes n) as notes,
         (select string_agg(t::text, '') from orders.order_timeline t) as steps`,
    )
    expect(JSON.stringify(kept)).not.toContain('telephone')
    expect(errorOf(await remove(id, detail['id']))).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('of another author is deleted by an owner only', async () => {
    const { id } = await place()
    const { detail } = await written(id, 'By Ada.')
    expect(errorOf(await remove(id, detail['id'], grace()))).toMatchObject({ status: 403, code: 'forbidden' })
    const nearly = PERMISSIONS.filter((permission) => permission !== 'admins:write')
    const manager = shop.suite.headers.adminUser('user_manager', nearly)
    expect(errorOf(await remove(id, detail['id'], manager))).toMatchObject({ status: 403 })
    expect(await texts(id)).toEqual(['By Ada.'])
    expect((await remove(id, detail['id'], owner())).status).toBe(200)
    expect(await texts(id)).toEqual([])
  })

  test('belongs to its order: through another one it is not found', async () => {
    const [one, other] = [await place(), await place()]
    const { detail } = await written(one.id, 'About the first.')
    for (const order of [other.id, 'order_nothing']) {
      expect(errorOf(await remove(order, detail['id'], owner()))).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect(errorOf(await write('order_nothing', 'x'))).toMatchObject({ status: 404 })
    expect(await texts(one.id)).toEqual(['About the first.'])
  })

  test('needs 1 to 2,000 characters, and loses control characters', async () => {
    const { id } = await place()
    for (const text of ['', '  \n ', '\u0007', 'x'.repeat(2001), 5, null]) {
      expect(errorOf(await write(id, text)), JSON.stringify(text)).toMatchObject({ code: 'validation_failed' })
    }
    const longest = 'ü'.repeat(2000)
    await written(id, longest)
    await written(id, 'a\u0007b\u001b[2Jc\td')
    expect(await texts(id)).toEqual([longest, 'ab[2Jc\td'])
  })

  test('needs the permission to change orders', async () => {
    const { id } = await place()
    const { detail } = await written(id, 'Mine.')
    const reader = shop.suite.headers.adminUser('user_ada', ['orders:read'])
    expect((await write(id, 'x', reader)).status).toBe(403)
    expect((await remove(id, detail['id'], reader)).status).toBe(403)
    expect((await write(id, 'x', {})).status).toBe(401)
  })
})

test('an order has at most 200 notes, also when several are written at the same moment', async () => {
  const { id } = await place()
  await shop.suite.sql(
    `insert into orders.order_notes (id, order_id, author, text)
     select 'note_many' || each, $1, 'user_ada', 'x' from generate_series(1, 198) as each`,
    [id],
  )
  const results = await Promise.all(Array.from({ length: 5 }, (_, each) => write(id, `Note ${each}`)))
  expect(results.filter(({ status }) => status === 200)).toHaveLength(2)
  const rejected = results.find(({ status }) => status === 422)
  expect(rejected && errorOf(rejected)).toMatchObject({ code: 'validation_failed', detail: { max: 200 } })
})
