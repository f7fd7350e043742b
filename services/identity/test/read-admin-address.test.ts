import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadAdminAddress } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminsOf, type Admins } from './admins.ts'
import { createSetting, type Setting } from './setting.ts'

let shop: Setting
let admins: Admins
let notifier: Messaging

beforeAll(async () => {
  shop = await createSetting()
  admins = adminsOf(shop)
  const { suite } = shop
  notifier = await suite.openMessaging('notifier')
})
afterAll(() => shop.stop())

const addressOf = (userId: string) => sendRequest(notifier, ReadAdminAddress, { userId })

test('notifier gets the address of an admin, for a test mail to the admin who requests it', async () => {
  const { id, email } = await admins.add({ role: 'support' })
  expect(await addressOf(id)).toEqual({ email })
})

test('there is no address of an admin who may not sign in, of a secret key, or of an unknown admin', async () => {
  const { id } = await admins.add({ role: 'support' })
  expect((await admins.change(id, { disabled: true })).status).toBe(200)
  for (const each of [id, 'key_test', 'user_nothing']) expect(await addressOf(each)).toEqual({})
})
