import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { replyTo, type Messaging } from '@storefront/messaging'
import { AlertMailsRequested, MailRequested, ReadAlertLinks } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { z } from 'zod'
import { createMailServer, readable, smtpError, type MailServer } from './mail-server.ts'
import { connect, createSetting, type Setting } from './setting.ts'

const ADDRESSES = { STOREFRONT_URL: 'https://linen.example', PUBLIC_URL: 'https://api.linen.example/v1' }
const UNSUBSCRIBE = 'alert_1.the-secret-of-unsubscribing'
const CONFIRM = 'alert_1.the-secret-of-confirming'

type Requested = z.output<typeof AlertMailsRequested.data>

let setting: Setting
let catalog: Messaging
let server: MailServer | undefined
/** Catalog's reply about each alert. */
let tokens: Record<string, { unsubscribeToken?: string; confirmToken?: string; confirmBefore?: string }>

beforeAll(async () => {
  setting = await createSetting()
  const context = await connect(setting.suite, 'catalog')
  catalog = context.messaging
  replyTo(context, ReadAlertLinks, async ({ alertId }) => tokens[alertId] ?? {})
  await catalog.connection().flush()
})
afterEach(async () => {
  await setting.clear()
  await server?.stop()
})
afterAll(async () => {
  await catalog.close()
  await setting.stop()
})

const product = {
  slug: 'linen-shirt',
  title: 'Linen <Shirt>',
  options: { Color: 'Ecru', Size: 'M' },
  image: { url: 'https://api.linen.example/v1/media/linen.webp', alt: 'A shirt' },
  price: { amount: 16_800, currency: 'USD' },
}
const restocked = (...alertIds: string[]): Requested => ({
  kind: 'backInStock',
  about: 'back-in-stock',
  product,
  mails: alertIds.map((alertId) => ({ alertId, to: `${alertId}@mail.example` })),
})

interface Row {
  reference: string
  phase: string
  answer: string | null
  recipient: string
}
const rows = () => setting.suite.sql<Row>('select reference, phase, answer, recipient from notifier.mails order by seq')
const UNSETTLED = ['queued', 'connecting', 'handed-over']
const settled = (count: number) =>
  waitFor(`${count} mails to be settled`, async () => {
    const found = (await rows()).filter(({ phase }) => !UNSETTLED.includes(phase))
    return found.length >= count && found
  })

async function start(env: Record<string, string> = {}): Promise<MailServer> {
  server = await createMailServer()
  await setting.start({ SMTP_URL: server.url, ...ADDRESSES, ...env })
  return server
}

test('a mail about a variant has its options in their order and links to the storefront, and can end the alert with one click', async () => {
  tokens = { alert_1: { unsubscribeToken: UNSUBSCRIBE } }
  const { taken } = await start()
  await setting.publish(AlertMailsRequested, restocked('alert_1'))
  await settled(1)
  const [message = ''] = taken
  const [head = ''] = message.split('\r\n\r\n', 1)
  expect(head).toContain('Subject: Linen <Shirt> is available again\r\n')
  expect(head).toContain('To: alert_1@mail.example\r\n')
  const url = `<https://api.linen.example/v1/alerts/unsubscribe?token=${UNSUBSCRIBE}>`
  expect(head).toContain(`\r\nList-Unsubscribe: ${url}\r\n`)
  expect(head).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const text = readable(message)
  expect(text).toContain('Linen <Shirt>\r\nColor: Ecru, Size: M\r\n$168.00\r\n')
  expect(text).toContain('<strong>Linen &lt;Shirt&gt;</strong>')
  expect(text).toContain('src="https://api.linen.example/v1/media/thumbnails/linen.webp.jpg"')
  expect(text).toContain('View the product: https://linen.example/product/linen-shirt\r\n')
  expect(text).toContain(`End this alert: https://linen.example/alerts/unsubscribe?token=${UNSUBSCRIBE}\r\n`)
  expect(JSON.stringify(await setting.suite.sql('select * from notifier.mails'))).not.toContain('the-secret')
})

test('a mail that requests a confirmation has the link for it, and is dropped when that is done', async () => {
  const confirmToken = CONFIRM
  tokens = { alert_1: { unsubscribeToken: UNSUBSCRIBE, confirmToken, confirmBefore: '2026-11-22T16:57:00.000Z' } }
  const { taken } = await start()
  const requested = { ...restocked('alert_1'), kind: 'alertConfirmation' as const }
  await setting.publish(AlertMailsRequested, requested)
  await settled(1)
  const text = readable(taken[0])
  expect(text).toContain(`\r\n\r\nhttps://linen.example/alerts/confirm?token=${CONFIRM}\r\n\r\nThe link works until 22`)
  expect(text).toContain('\r\nList-Unsubscribe: <https://api.linen.example/v1/')
  tokens = { alert_1: { unsubscribeToken: UNSUBSCRIBE } }
  await setting.publish(AlertMailsRequested, requested)
  expect((await settled(2)).map(({ phase }) => phase)).toEqual(['sent', 'dropped'])
  expect(taken).toHaveLength(1)
})

test('an event that arrives twice sends each of its mails once, and none to an alert that has ended', async () => {
  tokens = { alert_1: { unsubscribeToken: UNSUBSCRIBE }, alert_2: { unsubscribeToken: UNSUBSCRIBE } }
  const { taken } = await start()
  const id = await setting.publish(AlertMailsRequested, restocked('alert_1', 'alert_2', 'alert_ended'))
  await setting.publish(AlertMailsRequested, restocked('alert_1', 'alert_2', 'alert_ended'), id)
  await settled(3)
  await setting.publish(AlertMailsRequested, restocked('alert_2'))
  const outcomes = (await settled(4)).map(({ reference, phase }) => `${reference} ${phase}`)
  expect(outcomes.toSorted()).toEqual(['alert_1 sent', 'alert_2 sent', 'alert_2 sent', 'alert_ended dropped'])
  expect(taken).toHaveLength(3)
})

test('the response of a mail server that repeats the links of a mail is stored without them', async () => {
  tokens = { alert_1: { unsubscribeToken: UNSUBSCRIBE } }
  const page = `https://linen.example/alerts/unsubscribe?token=${UNSUBSCRIBE}`
  const button = `https://api.linen.example/v1/alerts/unsubscribe?token=${UNSUBSCRIBE}`
  server = await createMailServer({ message: async () => smtpError(451, `we do not like ${page} or <${button}>`) })
  await setting.start({ SMTP_URL: server.url, ...ADDRESSES })
  await setting.publish(AlertMailsRequested, restocked('alert_1'))
  const answer = await waitFor('the rejection', async () => (await rows())[0]?.answer ?? undefined)
  expect(answer).toContain('451')
  expect(answer).not.toContain('the-secret')
})

test('requests for confirmations count against the limits of their mailbox, and mails about products do not', async () => {
  tokens = {}
  await start({ MAILS_PER_RECIPIENT: '2', MAILS_PER_SENDER: '100', MAILS_PER_NETWORK: '100' })
  const to = 'flooded@mail.example'
  for (let count = 0; count < 3; count++) {
    const mails = [{ alertId: `alert_${count}`, to, unproven: { senders: [] } }]
    await setting.publish(AlertMailsRequested, { ...restocked(), kind: 'alertConfirmation', mails })
  }
  const outcomes = (await settled(3)).map(({ phase }) => phase)
  expect(outcomes.toSorted()).toEqual(['dropped', 'dropped', 'withheld'])
  await setting.publish(AlertMailsRequested, { ...restocked(), mails: [{ alertId: 'alert_4', to }] })
  expect((await settled(4)).at(-1)).toMatchObject({ reference: 'alert_4', phase: 'dropped' })
})

test('the mails about alerts lose their address when the account with it is deleted', async () => {
  tokens = { alert_1: { unsubscribeToken: UNSUBSCRIBE } }
  await start()
  await setting.publish(AlertMailsRequested, restocked('alert_1'))
  await settled(1)
  await setting.publish(MailRequested, { kind: 'accountDeleted', to: 'alert_1@mail.example' })
  await settled(2)
  await waitFor('the deletion', async () => (await rows()).every(({ recipient }) => recipient === ''))
  expect(JSON.stringify(await setting.suite.sql('select * from notifier.mails'))).not.toContain('@mail.example')
})
