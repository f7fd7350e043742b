import { clientKeysOf } from '@storefront/http'
import { MailRequested, type AccountMailKind } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSetting, PASSWORD, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const from = (address: string, headers: object = shop.suite.headers.anonymous()) => ({
  ...headers,
  'x-forwarded-for': address,
})

async function sendersOf(kind: AccountMailKind, to: string) {
  const mail = await waitFor(`the mail ${kind}`, async () =>
    (await shop.suite.eventsOf(MailRequested)).findLast((each) => each.kind === kind && each.to === to),
  )
  return mail.unproven?.senders
}

test('every mail that an outsider can request names the network, and the account if there is one, as digests', async () => {
  const email = 'victim@mail.example'
  const registered = await shop.call('POST', '/auth/register', { email, password: PASSWORD }, from('10.3.0.1'))
  expect(registered.status).toBe(200)
  expect(await sendersOf('emailVerification', email)).toEqual(clientKeysOf({ network: '10.3.0.1' }))

  const { customer } = await shop.register('other@mail.example')
  const own = (address: string) => from(address, shop.as(customer.id))
  await shop.call('POST', '/auth/email/verify', {}, own('10.3.0.2'))
  const account = { customerId: customer.id }
  expect(await sendersOf('emailVerification', customer.email)).toEqual(
    clientKeysOf({ ...account, network: '10.3.0.2' }),
  )

  const change = { email: 'changed@mail.example', password: PASSWORD }
  expect((await shop.call('POST', '/auth/email/change', change, own('10.3.0.3'))).status).toBe(200)
  expect(await sendersOf('emailChange', change.email)).toEqual(clientKeysOf({ ...account, network: '10.3.0.3' }))

  await shop.call('POST', '/auth/password/forgot', { email }, from('10.3.0.4'))
  expect(await sendersOf('passwordReset', email)).toEqual(clientKeysOf({ network: '10.3.0.4' }))

  await shop.call('POST', '/newsletter', { email }, from('2001:db8:1:2::7'))
  expect(await sendersOf('newsletterConfirmation', email)).toEqual(clientKeysOf({ network: '2001:db8:1:2::/64' }))
})
