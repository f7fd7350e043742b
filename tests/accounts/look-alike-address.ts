import { beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { linkToken, mailsTo, waitForLink } from '../support/mails.ts'
import type { TestShop } from '../support/shop.ts'
import type { TestClient } from '../support/test-client.ts'

const VICTIM = 'victim@gmail.test'
/** It has a dotted capital I, which lower() of PostgreSQL turns into an i; mail to it goes to another domain. */
const LOOK_ALIKE = 'victim@gma\u0130l.test'
const LOOK_ALIKE_IN_ASCII = 'victim@xn--gmail-bgd.test'
const PASSWORD = 'correct horse battery'

let shop: TestShop
let variantId: string

async function registerAndVerify(email: string, mailedTo: string): Promise<TestClient> {
  const client = shop.client()
  await client.register(email)
  const token = await waitForLink(shop, mailedTo, '/auth/email/verify')
  expect((await client.post('/auth/email/verify', { token })).body).toEqual({ ok: true })
  expect((await client.get('/me')).body).toMatchObject({ email, emailVerified: true })
  return client
}

/** The tests of this file, with the shop that is open when they start. */
export function testLookAlikeAddress(opened: () => TestShop): void {
  describe('an address that looks like another one', () => {
    beforeAll(async () => {
      shop = opened()
      variantId = (await shop.stockProduct('look-alike-shirt', 100)).variants[0]?.id ?? ''
    })

    test('gets no guest orders and no mails of the other, and blocks no account', async () => {
      const order = await shop.client().buy(variantId, 1, VICTIM)
      const attacker = await registerAndVerify(LOOK_ALIKE, LOOK_ALIKE_IN_ASCII)
      // Verified addresses are matched with orders, so the attacker places an order too.
      const ownOrder = await shop.client().buy(variantId, 1, LOOK_ALIKE)
      await waitFor('the guest order of the look-alike', async () => (await attacker.orders()).total > 0)
      expect((await attacker.orders()).items.map(({ id }) => id)).toEqual([ownOrder.id])
      expect((await attacker.get(`/orders/${order.id}`)).status).toBe(404)
      const lookup = { number: order.number, email: LOOK_ALIKE }
      expect((await shop.client().post('/orders/lookup', lookup)).status).toBe(404)

      const victim = await registerAndVerify(VICTIM, VICTIM)
      await waitFor('the guest order of the victim', async () => (await victim.orders()).total > 0)
      expect((await victim.orders()).items.map(({ id }) => id)).toEqual([order.id])

      expect((await shop.client().post('/auth/password/forgot', { email: VICTIM })).status).toBe(200)
      const token = await waitForLink(shop, VICTIM, '/auth/password/reset')
      const password = `${PASSWORD} again`
      expect((await shop.client().post('/auth/password/reset', { token, password })).status).toBe(200)
      const signIn = await shop.client().post('/auth/login', { email: 'Victim@GMAIL.test', password })
      expect(signIn.body).toMatchObject({ customer: { email: VICTIM } })
      const toAttacker = await mailsTo(shop, LOOK_ALIKE_IN_ASCII)
      expect(toAttacker.filter((mail) => linkToken(mail, '/auth/password/reset') !== undefined)).toEqual([])
    })

    test('is invalid when it differs in invisible characters', async () => {
      const cart = await shop.client().cartWith(variantId)
      for (const email of ['victim\u0007@gmail.test', 'victim\u202e@gmail.test', 'vic\u2060tim@gmail.test']) {
        const client = shop.client()
        expect(await client.post('/auth/register', { email, password: PASSWORD })).toMatchObject({
          status: 422,
          body: { code: 'invalid_email' },
        })
        expect(await client.checkOut(cart.id, email)).toMatchObject({ status: 422, body: { code: 'invalid_email' } })
        expect((await client.post('/newsletter', { email })).status).toBe(422)
      }
    })
  })
}
