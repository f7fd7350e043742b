import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, refusal, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

describe('the newsletter', () => {
  test('takes an address once, however often and however written it comes', async () => {
    const spellings = ['reader@mail.example', ' Reader@Mail.example ', 'READER@MAIL.EXAMPLE']
    const answers = await Promise.all(spellings.map((email) => shop.call('POST', '/newsletter', { email })))
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    expect(await shop.suite.sql('select 1 from identity.newsletter_subscribers')).toHaveLength(1)
  })

  test('refuses what is no e-mail address', async () => {
    const bodies = [undefined, {}, { email: null }, { email: '' }, { email: 'reader' }, { email: 'a@b@c.example' }]
    for (const body of bodies) {
      expect(refusal(await shop.call('POST', '/newsletter', body))).toEqual({ status: 422, code: 'invalid_email' })
    }
  })
})
