import { randomBytes } from 'node:crypto'
import { createDatabase, manualClock } from '@storefront/chassis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLinkTokens } from '../src/confirmations/link-tokens.ts'
import { prepareLinkKey } from '../src/confirmations/prepare-link-key.ts'
import type { IdentitySchema } from '../src/database.ts'
import { unsubscribeLink } from '../src/newsletter/unsubscribe.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { createSetting, refusal, type Setting } from './setting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const OK = { status: 200, body: { ok: true } }
const GONE = { status: 422, code: 'invalid_token' }

let shop: Setting
let mailbox: Mailbox
let linkKey: Buffer
const clock = manualClock('2026-03-01T12:00:00.000Z')

beforeAll(async () => {
  shop = await createSetting({}, clock)
  mailbox = await openMailbox(shop.suite)
  const url = shop.suite.databaseUrl('identity')
  const db = createDatabase<IdentitySchema>({ url, poolSize: 1, name: 'test', log: shop.suite.log })
  linkKey = await prepareLinkKey(db, undefined, clock)
  await db.destroy()
})
afterAll(async () => {
  await mailbox.close()
  await shop.stop()
})

const subscribe = (email: string) => shop.call('POST', '/newsletter', { email })
const confirm = (token?: string) => shop.call('POST', '/newsletter/confirm', { token })
const unsubscribe = (token?: string) => shop.call('POST', '/newsletter/unsubscribe', { token })

interface SubscriberRow {
  id: string
  email: string
  confirmed_at: Date | null
}
const subscribers = (email: string) =>
  shop.suite.sql<SubscriberRow>(
    'select id, email, confirmed_at from identity.newsletter_subscribers where lower(email) = $1',
    [email],
  )
const mailsTo = async (email: string): Promise<number> =>
  (await shop.suite.sql('select 1 from identity.confirmations where lower(email) = $1', [email])).length

async function unsubscribeToken(email: string, key = linkKey): Promise<string> {
  const [subscriber] = await subscribers(email)
  const link = new URL(unsubscribeLink(createLinkTokens(key), 'http://shop.example', subscriber?.id ?? ''))
  expect(link.pathname).toBe('/newsletter/unsubscribe')
  return link.hash.replace('#token=', '')
}

describe('the newsletter', () => {
  test('takes an address once, however often and however written it comes, and sends one mail', async () => {
    const spellings = ['reader@mail.example', ' Reader@Mail.example ', 'READER@MAIL.EXAMPLE']
    const answers = await Promise.all(spellings.map(subscribe))
    for (const answer of answers) expect(answer).toMatchObject(OK)
    const [subscriber, ...others] = await subscribers('reader@mail.example')
    expect(others).toEqual([])
    expect(subscriber).toMatchObject({ id: expect.stringMatching(/^sub_[0-9a-f]{32}$/), confirmed_at: null })
    expect(await mailsTo('reader@mail.example')).toBe(1)
    expect(await mailbox.mail('newsletterConfirmation', subscriber?.email ?? '')).toEqual({
      kind: 'newsletterConfirmation',
      to: subscriber?.email,
      confirmationId: expect.stringMatching(/^conf_/),
    })
  })

  test('refuses what is no e-mail address', async () => {
    const bodies = [undefined, {}, { email: null }, { email: '' }, { email: 'reader' }, { email: 'a@b@c.example' }]
    for (const body of bodies) {
      expect(refusal(await shop.call('POST', '/newsletter', body))).toEqual({ status: 422, code: 'invalid_email' })
    }
  })

  test('counts a subscriber when the link is opened, once, and sends no mails from then on', async () => {
    await subscribe('sure@mail.example')
    const token = await mailbox.token('newsletterConfirmation', 'sure@mail.example')
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect((await subscribers('sure@mail.example'))[0]?.confirmed_at).toEqual(clock.now())
    expect(refusal(await confirm(token))).toEqual(GONE)
    clock.advance(DAY_MS)
    const { status, body } = await subscribe('Sure@mail.example')
    expect({ status, body }).toEqual(OK)
    expect(await mailsTo('sure@mail.example')).toBe(1)
  })

  test('asks again every ten minutes at most while nobody opens the link, and every one of the links works', async () => {
    await subscribe('slow@mail.example')
    clock.advance(10 * MINUTE_MS - 1)
    await subscribe('slow@mail.example')
    expect(await mailsTo('slow@mail.example')).toBe(1)
    const first = await mailbox.token('newsletterConfirmation', 'slow@mail.example')
    clock.advance(1)
    await Promise.all([subscribe('slow@mail.example'), subscribe('SLOW@mail.example')])
    expect(await mailsTo('slow@mail.example')).toBe(2)
    expect(await confirm(first)).toMatchObject(OK)
    expect(await confirm(await mailbox.token('newsletterConfirmation', 'slow@mail.example', 2))).toMatchObject(OK)
  })

  test('asks whoever subscribed before there were such mails', async () => {
    await shop.suite.sql(
      `insert into identity.newsletter_subscribers (email, subscribed_at) values ('early@mail.example', now())`,
    )
    await subscribe('early@mail.example')
    expect(await confirm(await mailbox.token('newsletterConfirmation', 'early@mail.example'))).toMatchObject(OK)
  })

  test('takes no link that is forged, missing, of another purpose or older than a week', async () => {
    await subscribe('late@mail.example')
    const token = await mailbox.token('newsletterConfirmation', 'late@mail.example')
    for (const wrong of [undefined, '', 'x', `${token.slice(0, -1)}~`, await unsubscribeToken('late@mail.example')]) {
      expect(refusal(await confirm(wrong))).toEqual(GONE)
    }
    expect(refusal(await shop.call('POST', '/newsletter/confirm'))).toEqual(GONE)
    clock.advance(7 * DAY_MS)
    expect(refusal(await confirm(token))).toEqual(GONE)
    expect((await subscribers('late@mail.example'))[0]?.confirmed_at).toBeNull()
  })
})

describe('unsubscribing', () => {
  test('works years later, again, and for nobody else', async () => {
    await subscribe('leaving@mail.example')
    await subscribe('staying@mail.example')
    const token = await unsubscribeToken('leaving@mail.example')
    clock.advance(1000 * DAY_MS)
    for (let round = 0; round < 2; round++) expect(await unsubscribe(token)).toMatchObject(OK)
    expect(await subscribers('leaving@mail.example')).toEqual([])
    expect(await subscribers('staying@mail.example')).toHaveLength(1)
  })

  test('is not undone by a link from before', async () => {
    await subscribe('firm@mail.example')
    const token = await mailbox.token('newsletterConfirmation', 'firm@mail.example')
    await unsubscribe(await unsubscribeToken('firm@mail.example'))
    expect(refusal(await confirm(token))).toEqual(GONE)
    expect(await subscribers('firm@mail.example')).toEqual([])
  })

  test('takes no link that was not made here for it', async () => {
    await subscribe('safe@mail.example')
    const confirmation = await mailbox.token('newsletterConfirmation', 'safe@mail.example')
    const forged = await unsubscribeToken('safe@mail.example', randomBytes(32))
    for (const wrong of [undefined, '', confirmation, forged]) expect(refusal(await unsubscribe(wrong))).toEqual(GONE)
    expect(await subscribers('safe@mail.example')).toHaveLength(1)
  })
})

describe('the list of subscribers', () => {
  const List = z.object({
    items: z.array(z.strictObject({ email: z.string(), subscribedAt: z.string(), confirmedAt: z.string().nullable() })),
    total: z.number(),
    page: z.number(),
    perPage: z.number(),
  })
  const read = async (query: string) => {
    const headers = shop.asAdmin('user_1', ['customers:read'])
    return List.parse((await shop.call('GET', `/admin/newsletter/subscribers${query}`, undefined, headers)).body)
  }

  test('shows the newest first, page by page, each of them once', async () => {
    await shop.suite.sql('delete from identity.newsletter_subscribers')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await subscribe(`${name}@list.example`)
    await confirm(await mailbox.token('newsletterConfirmation', 'b@list.example'))
    clock.advance(1000)
    await subscribe('newest@list.example')
    const all = await read('')
    expect(all).toMatchObject({ total: 6, page: 1, perPage: 25 })
    expect(all.items[0]).toEqual({
      email: 'newest@list.example',
      subscribedAt: clock.now().toISOString(),
      confirmedAt: null,
    })
    expect(all.items.find((item) => item.email === 'b@list.example')?.confirmedAt).toEqual(expect.any(String))
    const pages = [await read('?per_page=2'), await read('?per_page=2&page=2'), await read('?per_page=2&page=3')]
    expect(pages.flatMap((page) => page.items)).toEqual(all.items)
    expect(await read('?per_page=1000')).toMatchObject({ perPage: 100 })
    expect(await read('?page=99')).toMatchObject({ items: [], total: 6 })
  })

  test('is for admins who may read customers', async () => {
    const path = '/admin/newsletter/subscribers'
    expect(refusal(await shop.call('GET', path)).status).toBe(401)
    expect(refusal(await shop.call('GET', path, undefined, shop.as('cus_1'))).status).toBe(403)
    const other = shop.asAdmin('user_1', ['orders:read', 'catalog:write'])
    expect(refusal(await shop.call('GET', path, undefined, other)).status).toBe(403)
  })
})
