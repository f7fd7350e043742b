import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { createLinkTokens } from '@storefront/service'
import { randomBytes } from 'node:crypto'
import { transaction } from '@storefront/postgres'
import { waitFor } from '@storefront/tools/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { insertMailRequest, takeMailRequest } from '../src/confirmations/mail-requests.queries.ts'
import { prepareLinkKey } from '../src/confirmations/prepare-link-key.ts'
import type { Database } from '../src/database.ts'
import { RETENTION } from '../src/retention.ts'
import { unsubscribeLink } from '../src/newsletter/unsubscribe.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { createSetting, emailAddress, errorOf, openDatabase, type TestResponse, type Setting } from './setting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const OK = { status: 200, body: { ok: true } }
const GONE = { status: 422, code: 'invalid_token' }

let shop: Setting
let mailbox: Mailbox
let linkKey: Buffer
let db: Database
const clock = manualClock('2026-03-01T12:00:00.000Z')

beforeAll(async () => {
  shop = await createSetting({}, clock)
  mailbox = await openMailbox(shop.suite)
  db = openDatabase(shop.suite)
  linkKey = await prepareLinkKey(db, undefined, clock)
})
afterAll(async () => {
  await db.destroy()
  await mailbox.close()
  await shop.stop()
})

async function subscribe(email: string): Promise<TestResponse> {
  const response = await shop.call('POST', '/newsletter', { email })
  await waitFor('the request to be processed', async () => {
    return (await shop.suite.sql('select 1 from identity.newsletter_requests')).length === 0
  })
  return response
}
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
  test('accepts an address once, however often and in whatever spelling, and sends one mail', async () => {
    const spellings = ['reader@mail.example', ' Reader@Mail.example ', 'READER@MAIL.EXAMPLE']
    const responses = await Promise.all(spellings.map(subscribe))
    for (const response of responses) expect(response).toMatchObject(OK)
    const [subscriber, ...others] = await subscribers('reader@mail.example')
    expect(others).toEqual([])
    expect(subscriber).toMatchObject({ id: expect.stringMatching(/^sub_[0-9a-f]{32}$/), confirmed_at: null })
    expect(await mailsTo('reader@mail.example')).toBe(1)
    expect(await mailbox.mail('newsletterConfirmation', 'reader@mail.example')).toEqual({
      kind: 'newsletterConfirmation',
      to: 'reader@mail.example',
      confirmationId: expect.stringMatching(/^conf_/),
      unproven: { senders: [expect.stringMatching(/^address:/)] },
    })
  })

  test('rejects an invalid email address', async () => {
    const bodies = [undefined, {}, { email: null }, { email: '' }, { email: 'reader' }, { email: 'a@b@c.example' }]
    for (const body of bodies) {
      expect(errorOf(await shop.call('POST', '/newsletter', body))).toEqual({ status: 422, code: 'invalid_email' })
    }
  })

  test('adds a subscriber once, when the link is opened, and sends no mails from then on', async () => {
    await subscribe('sure@mail.example')
    const token = await mailbox.token('newsletterConfirmation', 'sure@mail.example')
    const responses = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    expect((await subscribers('sure@mail.example'))[0]?.confirmed_at).toEqual(clock.now())
    expect(errorOf(await confirm(token))).toEqual(GONE)
    clock.advance(DAY_MS)
    const { status, body } = await subscribe('Sure@mail.example')
    expect({ status, body }).toEqual(OK)
    expect(await mailsTo('sure@mail.example')).toBe(1)
  })

  test('sends another mail every ten minutes at most until a link is opened, and each of the links works', async () => {
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

  test('sends another person no more than three mails an hour and five a day, even if they unsubscribe in between', async () => {
    const email = 'bombed@mail.example'
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round++) {
        await subscribe(round % 2 ? email : email.toUpperCase())
        await unsubscribe(await unsubscribeToken(email))
      }
      return mailsTo(email)
    }
    expect(await rounds(4)).toBe(3)
    clock.advance(60 * MINUTE_MS)
    expect(await rounds(3)).toBe(5)
    clock.advance(60 * MINUTE_MS)
    expect(await rounds(1)).toBe(5)
    clock.advance(DAY_MS)
    expect(await rounds(1)).toBe(6)
  })

  test('rejects a request with Retry-After when far too many wait', async () => {
    // Twice the limit: some are processed before the lock.
    const fill = `insert into identity.newsletter_requests (email, requested_at)
      select 'waiting' || n || '@mail.example', now() from generate_series(1, 20000) n`
    // Together with a lock that keeps them from being processed.
    await shop.suite.sql(`begin; ${fill}; commit; begin; select 1 from identity.newsletter_requests for update`)
    try {
      const response = await shop.call('POST', '/newsletter', { email: 'full@mail.example' })
      expect(errorOf(response)).toEqual({ status: 503, code: 'service_unavailable' })
      expect(response.headers['retry-after']).toBe('10')
    } finally {
      await shop.suite.sql('delete from identity.newsletter_requests; commit')
    }
    expect(await subscribe('full@mail.example')).toMatchObject(OK)
  })

  test('processes one request at a time, however the database plans the statement', async () => {
    const rollback = new Error('rolled back, because the service processes them, too')
    const taking = transaction(db, async (tx) => {
      for (const name of ['one', 'two', 'three']) {
        await insertMailRequest(tx, 'newsletter_requests', {
          email: emailAddress(`${name}@mail.example`),
          senders: [],
          now: clock.now(),
        })
      }
      // The only plan left is a loop that runs the inner query again for every row.
      for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort']) {
        await sql`set local ${sql.raw(`enable_${way}`)} to off`.execute(tx)
      }
      const taken: unknown[] = []
      for (let round = 0; round < 4; round++) {
        taken.push((await takeMailRequest(tx, 'newsletter_requests'))?.email?.typed)
      }
      expect(taken).toEqual(['one@mail.example', 'two@mail.example', 'three@mail.example', undefined])
      throw rollback
    })
    await expect(taking).rejects.toBe(rollback)
  })

  test('sends its response before the subscription is looked up', async () => {
    await shop.suite.sql('begin; lock table identity.newsletter_subscribers in access exclusive mode')
    try {
      expect(await shop.call('POST', '/newsletter', { email: 'unseen@mail.example' })).toMatchObject(OK)
    } finally {
      await shop.suite.sql('commit')
    }
    await mailbox.mail('newsletterConfirmation', 'unseen@mail.example')
  })

  test('deletes unconfirmed subscribers eight days after the last mail', async () => {
    await shop.suite.sql('delete from identity.newsletter_subscribers')
    await subscribe('never@forgotten.example')
    await subscribe('again@forgotten.example')
    await subscribe('reader@forgotten.example')
    await confirm(await mailbox.token('newsletterConfirmation', 'reader@forgotten.example'))
    clock.advance(DAY_MS)
    await subscribe('again@forgotten.example')
    const left = async () => {
      await followRule(RETENTION['unconfirmed subscribers'], { db, clock })
      const rows = await shop.suite.sql<SubscriberRow>('select * from identity.newsletter_subscribers')
      return rows.map(({ email }) => email.replace('@forgotten.example', '')).toSorted()
    }
    clock.advance(7 * DAY_MS)
    expect(await left()).toEqual(['again', 'never', 'reader'])
    clock.advance(1)
    expect(await left()).toEqual(['again', 'reader'])
    clock.advance(DAY_MS)
    expect(await left()).toEqual(['reader'])
  })

  test('sends a mail to subscribers of versions that sent no such mails', async () => {
    await shop.suite.sql(
      `insert into identity.newsletter_subscribers (email, subscribed_at) values ('early@mail.example', now())`,
    )
    await subscribe('early@mail.example')
    expect(await confirm(await mailbox.token('newsletterConfirmation', 'early@mail.example'))).toMatchObject(OK)
  })

  test('accepts no link that is forged, missing, of another purpose or older than a week', async () => {
    await subscribe('late@mail.example')
    const token = await mailbox.token('newsletterConfirmation', 'late@mail.example')
    for (const wrong of [undefined, '', 'x', `${token.slice(0, -1)}~`, await unsubscribeToken('late@mail.example')]) {
      expect(errorOf(await confirm(wrong))).toEqual(GONE)
    }
    expect(errorOf(await shop.call('POST', '/newsletter/confirm'))).toEqual(GONE)
    clock.advance(7 * DAY_MS)
    expect(errorOf(await confirm(token))).toEqual(GONE)
    expect((await subscribers('late@mail.example'))[0]?.confirmed_at).toBeNull()
  })
})

describe('unsubscribing', () => {
  test('works years later, repeatedly, and for no other subscriber', async () => {
    await subscribe('leaving@mail.example')
    await subscribe('staying@mail.example')
    const token = await unsubscribeToken('leaving@mail.example')
    clock.advance(1000 * DAY_MS)
    for (let round = 0; round < 2; round++) expect(await unsubscribe(token)).toMatchObject(OK)
    expect(await subscribers('leaving@mail.example')).toEqual([])
    expect(await subscribers('staying@mail.example')).toHaveLength(1)
  })

  test('is not undone by an earlier link', async () => {
    await subscribe('firm@mail.example')
    const token = await mailbox.token('newsletterConfirmation', 'firm@mail.example')
    await unsubscribe(await unsubscribeToken('firm@mail.example'))
    expect(errorOf(await confirm(token))).toEqual(GONE)
    expect(await subscribers('firm@mail.example')).toEqual([])
  })

  test('accepts no missing or forged link, and no link of another purpose', async () => {
    await subscribe('safe@mail.example')
    const confirmation = await mailbox.token('newsletterConfirmation', 'safe@mail.example')
    const forged = await unsubscribeToken('safe@mail.example', randomBytes(32))
    for (const wrong of [undefined, '', confirmation, forged]) expect(errorOf(await unsubscribe(wrong))).toEqual(GONE)
    expect(await subscribers('safe@mail.example')).toHaveLength(1)
  })
})

describe('the list of subscribers', () => {
  const List = z.object({
    items: z.array(
      z.strictObject({
        email: z.string(),
        subscribedAt: z.string(),
        confirmedAt: z.string().nullable(),
        unsubscribeUrl: z.string().optional(),
      }),
    ),
    total: z.number(),
    page: z.number(),
    perPage: z.number(),
  })
  const read = async (query: string) => {
    const headers = shop.asAdmin('user_1', ['customers:read'])
    return List.parse((await shop.call('GET', `/admin/newsletter/subscribers${query}`, undefined, headers)).body)
  }

  test('shows the newest first, page by page, each subscriber once', async () => {
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
    const confirmed = all.items.filter((item) => item.confirmedAt !== null)
    expect(confirmed).toEqual([
      {
        email: 'b@list.example',
        subscribedAt: expect.any(String),
        confirmedAt: expect.any(String),
        unsubscribeUrl: expect.stringMatching(/^http:\/\/shop\.example\/newsletter\/unsubscribe#token=sub_/),
      },
    ])
    const pages = [await read('?per_page=2'), await read('?per_page=2&page=2'), await read('?per_page=2&page=3')]
    expect(pages.flatMap((page) => page.items)).toEqual(all.items)
    expect(await read('?per_page=1000')).toMatchObject({ perPage: 100 })
    expect(await read('?page=99')).toMatchObject({ items: [], total: 6 })
  })

  test('has the link with which a subscriber unsubscribes', async () => {
    await subscribe('tired@list.example')
    await confirm(await mailbox.token('newsletterConfirmation', 'tired@list.example'))
    const { items } = await read('')
    const { unsubscribeUrl = '' } = items.find((item) => item.email === 'tired@list.example') ?? {}
    expect(await unsubscribe(new URL(unsubscribeUrl).hash.replace('#token=', ''))).toMatchObject(OK)
    expect(await subscribers('tired@list.example')).toEqual([])
  })

  test('is for admins who may read customers', async () => {
    const path = '/admin/newsletter/subscribers'
    expect(errorOf(await shop.call('GET', path)).status).toBe(401)
    expect(errorOf(await shop.call('GET', path, undefined, shop.as('cus_1'))).status).toBe(403)
    const other = shop.asAdmin('user_1', ['orders:read', 'catalog:write'])
    expect(errorOf(await shop.call('GET', path, undefined, other)).status).toBe(403)
  })
})
