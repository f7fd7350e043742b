import { listOf, SavedView } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminsOf, type Admins, type Person } from './admins.ts'
import { ADMIN, createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting
let admins: Admins
let ada: Person
let grace: Person

beforeAll(async () => {
  shop = await createSetting()
  admins = adminsOf(shop)
  ada = await admins.signIn((await admins.add({ role: 'support' })).email)
  grace = await admins.signIn((await admins.add({ role: 'fulfilment' })).email)
})
afterAll(() => shop.stop())

const save = (person: Person, body: object) => shop.call('POST', '/admin/views', body, person.headers)
const saved = async (person: Person, body: object) => {
  const response = await save(person, body)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return SavedView.strict().parse(response.body)
}
const list = async (person: Person, screen = 'orders') => {
  const { body } = await shop.call('GET', `/admin/views?screen=${screen}`, undefined, person.headers)
  const { items, total } = listOf(SavedView).parse(body)
  expect(total).toBe(items.length)
  return items
}
const remove = (person: Person, id: string) => shop.call('DELETE', `/admin/views/${id}`, undefined, person.headers)

describe('a saved view', () => {
  test('is listed for its user and screen, by name, with its query unchanged', async () => {
    const query = '?status=paid&q=%20Zo%C3%AB&tag=rush+order#top'
    const view = await saved(ada, { screen: 'orders', name: ' To send ', query })
    expect(view).toMatchObject({ id: expect.stringMatching(/^view_/), screen: 'orders', name: 'To send', query })
    const empty = await saved(ada, { screen: 'orders', name: 'all', query: '' })
    const stock = await saved(ada, { screen: 'stock', name: 'To send', query: '' })
    expect(await list(ada)).toEqual([empty, view])
    expect(await list(ada, 'stock')).toEqual([stock])
    expect(await list(ada, 'discounts')).toEqual([])
    expect(await list(grace)).toEqual([])
  })

  test('has a name that no other view of its user and screen has, in any case', async () => {
    await saved(ada, { screen: 'products', name: 'Äpfel', query: '' })
    expect(errorOf(await save(ada, { screen: 'products', name: 'äPFEL ', query: '?x' }))).toEqual({
      status: 409,
      code: 'conflict',
    })
    await saved(ada, { screen: 'customers', name: 'Äpfel', query: '' })
    await saved(grace, { screen: 'products', name: 'Äpfel', query: '' })
    const twice = await Promise.all([1, 2].map(() => save(ada, { screen: 'products', name: 'Twice', query: '' })))
    expect(twice.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  })

  test('is deleted by its user only', async () => {
    const { id } = await saved(ada, { screen: 'discounts', name: 'Mine', query: '' })
    expect(errorOf(await remove(grace, id))).toEqual({ status: 404, code: 'not_found' })
    expect(await list(ada, 'discounts')).toHaveLength(1)
    expect(await remove(ada, id)).toMatchObject({ status: 200, body: { ok: true } })
    expect(errorOf(await remove(ada, id))).toEqual({ status: 404, code: 'not_found' })
    expect(await list(ada, 'discounts')).toEqual([])
  })

  test('needs a known screen, a name of 1 to 100 characters and a query of up to 2,000', async () => {
    const view = { screen: 'orders', name: 'Valid', query: '' }
    for (const changes of [
      { screen: 'webhooks' },
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { name: 'a\nb' },
      { query: 'x'.repeat(2001) },
      { query: undefined },
    ]) {
      expect(errorOf(await save(ada, { ...view, ...changes })), JSON.stringify(changes)).toEqual({
        status: 422,
        code: 'validation_failed',
      })
    }
    await saved(ada, { ...view, query: 'x'.repeat(2000) })
    const unknown = await shop.call('GET', '/admin/views?screen=webhooks', undefined, ada.headers)
    expect(errorOf(unknown)).toEqual({ status: 422, code: 'validation_failed' })
  })

  test('belongs to a person: a secret key, a customer and a visitor have none', async () => {
    const { customer } = await shop.register()
    for (const [headers, status] of [
      [admins.key(), 403],
      [shop.as(customer.id), 403],
      [{}, 401],
    ] as const) {
      expect((await shop.call('GET', '/admin/views?screen=orders', undefined, headers)).status).toBe(status)
      const view = { screen: 'orders', name: 'x', query: '' }
      expect((await shop.call('POST', '/admin/views', view, headers)).status).toBe(status)
    }
  })

  test('ends with its user', async () => {
    const leaving = await admins.signIn((await admins.add({ role: 'support' })).email)
    const { id } = await saved(leaving, { screen: 'orders', name: 'Gone soon', query: '' })
    const removed = await shop.call(
      'DELETE',
      `/admin/users/${leaving.id}`,
      { currentPassword: ADMIN.password },
      (await admins.owner()).headers,
    )
    expect(removed.status, JSON.stringify(removed.body)).toBe(200)
    expect(await shop.suite.sql('select id from identity.saved_views where id = $1', [id])).toEqual([])
    expect(errorOf(await save(leaving, { screen: 'orders', name: 'Late', query: '' })).status).toBe(401)
  })

  test('is rejected beyond 50 per user and screen, also when several are saved at the same moment', async () => {
    const busy = await admins.signIn((await admins.add({ role: 'support' })).email)
    const { id } = await saved(busy, { screen: 'orders', name: 'View', query: '' })
    await shop.suite.sql(
      `insert into identity.saved_views (id, admin_user_id, screen, name, name_key, query, created_at)
       select id || each, admin_user_id, screen, name || each, name_key || each, query, created_at
       from identity.saved_views, generate_series(1, 47) as each where id = $1`,
      [id],
    )
    const last = await Promise.all(
      Array.from({ length: 5 }, (_, each) => save(busy, { screen: 'orders', name: `Last ${each}`, query: '' })),
    )
    expect(last.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(last.filter(({ status }) => status === 422)).toHaveLength(3)
    expect(await list(busy)).toHaveLength(50)
    await saved(busy, { screen: 'stock', name: 'Another screen', query: '' })
  })
})

test('the audit names who saved and deleted a view, and its screen', async () => {
  const { id } = await saved(grace, { screen: 'stock', name: 'Audited', query: '?secret=1' })
  await remove(grace, id)
  const { items } = await admins.audit(`?actor=${grace.id}`)
  expect(items.slice(0, 2)).toMatchObject([
    { action: 'delete_view', subject: id, fields: ['stock'] },
    { action: 'save_view', subject: id, fields: ['stock'] },
  ])
  expect(JSON.stringify(items)).not.toContain('secret=1')
})
