import { sendRequest, type Messaging } from '@storefront/messaging'
import { readConfig } from '@storefront/service'
import { ReadOrderLink } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrderLinks } from '../src/access/order-links.ts'
import { OrdersConfig } from '../src/config.ts'
import { startOrders } from '../src/start.ts'
import { createShop, orderOf, type Shop } from './shop.ts'

const SECRET = 'what the links of these tests are derived from'

let shop: Shop
let notifier: Messaging

beforeAll(async () => {
  shop = await createShop({ env: { KEPT_ANSWERS_KEY: SECRET } })
  shop.stock.set('var_m', 100)
  const { suite } = shop
  notifier = await suite.openMessaging('notifier')
})
afterAll(() => shop.stop())

const requestLink = async (orderId: string) => (await sendRequest(notifier, ReadOrderLink, { orderId })).accessToken
const place = async () => orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id))
const open = async (id: string, token: string, headers = {}) =>
  (await shop.call('GET', `/orders/${id}?token=${token}`, undefined, headers)).status

describe('the link to an order in its mails', () => {
  test('opens this order and no other, and is the same whenever it is requested', async () => {
    const [order, other] = [await place(), await place()]
    const token = (await requestLink(order.id)) ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await requestLink(order.id)).toBe(token)
    expect(await requestLink(other.id)).not.toBe(token)
    expect(await open(order.id, token)).toBe(200)
    expect(await open(other.id, token)).toBe(404)
    expect(
      await open(
        order.id,
        token.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
      ),
    ).toBe(404)
  })

  test('opens nothing before a mail was written, and stores only a hash in the database', async () => {
    const { id } = await place()
    const token = createOrderLinks(SECRET)(id)
    expect(await open(id, token)).toBe(404)
    expect(await requestLink(id)).toBe(token)
    expect(await open(id, token)).toBe(200)
    const tables = await shop.suite.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'orders'`,
    )
    expect(tables).toContainEqual({ name: 'order_capabilities' })
    for (const { name } of tables) {
      // As text, in which bytes are hexadecimal.
      const rows = JSON.stringify(await shop.suite.sql(`select t::text as row from orders.${name} as t`))
      expect(rows, name).not.toContain(token)
      expect(rows, name).not.toContain(Buffer.from(token).toString('hex'))
    }
  })

  test('that another customer opens while signed in shows nothing, as every capability', async () => {
    const { id } = orderOf(
      await shop.checkOut(
        shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' }).id,
        undefined,
        shop.suite.headers.customer('cus_ada'),
      ),
    )
    const token = (await requestLink(id)) ?? ''
    expect(await open(id, token)).toBe(200)
    expect(await open(id, token, shop.suite.headers.customer('cus_eve'))).toBe(404)
  })

  test('is granted while another transaction has locked the order', async () => {
    const { id } = await place()
    await shop.suite.sql('begin')
    try {
      await shop.suite.sql('select from orders.orders where id = $1 for update', [id])
      expect(await requestLink(id)).toMatch(/^[\w-]{43}$/)
    } finally {
      await shop.suite.sql('rollback')
    }
  })

  test('does not exist for an unknown order, nor for a number in place of an id', async () => {
    const { number } = await place()
    expect(await requestLink('order_nothing')).toBeUndefined()
    expect(await requestLink(number)).toBeUndefined()
  })

  test('that was given out still opens after a change of the secret, and the next one differs', async () => {
    const { id } = await place()
    const token = (await requestLink(id)) ?? ''
    const env = { ...shop.suite.env('orders'), SECRETS_KEY: 'a secret that came later', PORT: '0' }
    const again = await startOrders(readConfig(OrdersConfig, env), shop.suite.log)
    try {
      const next = await waitFor('the other link', async () => {
        const given = await requestLink(id)
        return given === token ? undefined : given
      })
      for (const each of [token, next]) expect(await open(id, each)).toBe(200)
    } finally {
      await again.stop()
    }
  })
})
