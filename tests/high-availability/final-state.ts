import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { Payload } from '../support/webhook-receiver.ts'
import { readAll, readPage, type Admin } from './admin-pages.ts'
import { readOrderRecord, type OrderRecord } from './order-record.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { readSentEvents, type Query } from './sent-events.ts'
import type { ReceivedEvent, SentMail, ShopState } from './shop-state.ts'

/** What observes a shop from outside. */
export interface Observers {
  admin: Admin
  variantIds: readonly string[]
  /** The id of the webhook endpoint that sends to the receiver. */
  endpointId: string
  /** The payloads that the receiver has acknowledged. */
  received: readonly Payload[]
  readMails: () => Promise<SentMail[]>
  provider: PaymentProvider
  query: Query
  /** Since when the shop is observed: earlier events are not compared. */
  since: Date
}

const Level = z.looseObject({ after: z.looseObject({ onHand: z.int(), reserved: z.int() }) })
const LoggedMail = z.looseObject({ kind: z.string(), to: z.string().nullable(), reference: z.string() })

const UNSENT_MAILS = ['queued', 'connecting', 'handed-over']
const UNSENT_WEBHOOKS = ['queued', 'sending', 'waiting']
const PENDING_PAYMENTS = `select count(*)::int as count from orders.provider_events where status = 'pending'`
const LOOK_EVERY_MS = 500
/** Longer than JetStream waits before it delivers an event again whose consumer has died. */
const DELIVERED_AGAIN_MS = 60_000
/** The number of equal readings in a row that count as rest: at a single one, events may be between two services. */
const QUIET_LOOKS = 3

/**
 * Waits until a shop is idle, and then reads everything about it that can be seen from outside, and its events. What
 * buyers have paid, the provider knows.
 * @param options.timeoutMs after which it is read in any case, with what the shop still does in `unfinished`
 */
export async function readShopState(observers: Observers, { timeoutMs }: { timeoutMs: number }): Promise<ShopState> {
  const unfinished = await untilIdle(observers, timeoutMs)
  const { admin, variantIds, received, readMails, provider, query, since } = observers
  const orders = (await readAll(admin, '/admin/orders', { sort: 'oldest' })).map(orderOf)
  const uncertain = await readAll(admin, '/admin/notifications', { status: 'uncertain' })
  const stock = []
  for (const variantId of variantIds) stock.push({ variantId, ...(await readStock(admin, variantId)) })
  return {
    orders,
    stock,
    mails: await readMails(),
    uncertainMails: uncertain.map((mail) => LoggedMail.parse(mail)).map(mailOf),
    events: received.flatMap(eventOf),
    payments: provider.payments(),
    ...(await readSentEvents(query, since)),
    unfinished,
  }
}

/** @returns what the shop still does when time is up; nothing when it is idle */
async function untilIdle(observers: Observers, timeoutMs: number): Promise<string[]> {
  const startMs = performance.now()
  const untilMs = startMs + timeoutMs
  let last = ''
  let quiet = 0
  for (;;) {
    // After a while an event without a receipt counts as lost, and the shop as idle.
    const awaitsEvents = performance.now() < startMs + DELIVERED_AGAIN_MS
    const { work, progress } = await look(observers, awaitsEvents)
    quiet = work.length === 0 && progress === last ? quiet + 1 : 0
    last = progress
    if (quiet >= QUIET_LOOKS - 1) return []
    if (performance.now() > untilMs) return work.length > 0 ? work : ['something that changes what admins see']
    await setTimeout(LOOK_EVERY_MS)
  }
}

async function look(observers: Observers, awaitsEvents: boolean): Promise<{ work: string[]; progress: string }> {
  const { admin, variantIds, endpointId: endpoint, received } = observers
  const totalOf = async (path: string, query: Record<string, string>) =>
    (await readPage(admin, path, { ...query, per_page: '1' })).total
  const counts: [string, number][] = [
    ['orders without payment', await totalOf('/admin/orders', { status: 'placed', payment: 'pending' })],
  ]
  const [stored] = await observers.query<{ count: number }>(PENDING_PAYMENTS)
  counts.push(['webhooks of the payment provider', observers.provider.unsent() + (stored?.count ?? 0)])
  for (const status of UNSENT_MAILS) {
    counts.push([`mails ${status}`, await totalOf('/admin/notifications', { status })])
  }
  for (const status of UNSENT_WEBHOOKS) {
    counts.push([`webhooks ${status}`, await totalOf('/admin/webhooks/deliveries', { status, endpoint })])
  }
  for (const variantId of variantIds) {
    counts.push([`units reserved of ${variantId}`, (await readStock(admin, variantId)).reserved])
  }
  const totals = [await totalOf('/admin/orders', {}), await totalOf('/admin/notifications', {}), received.length]
  const { published, unconsumed } = await readSentEvents(observers.query, observers.since)
  totals.push(published, unconsumed.length)
  if (awaitsEvents) counts.push(['events without a receipt', unconsumed.length])
  const work = counts.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`)
  return { work, progress: totals.join(' ') }
}

/** The first entry of the ledger of a variant has its present stock. */
async function readStock(admin: Admin, variantId: string): Promise<{ onHand: number; reserved: number }> {
  const { items } = await readPage(admin, `/admin/variants/${variantId}/movements`, { per_page: '1' })
  // A variant without an entry never had stock.
  const { onHand, reserved } = items.length === 0 ? { onHand: 0, reserved: 0 } : Level.parse(items[0]).after
  return { onHand, reserved }
}

function orderOf(item: unknown): OrderRecord {
  const order = readOrderRecord(item)
  if (!order) throw new Error(`an order has another shape than expected: ${JSON.stringify(item)}`)
  return order
}

function mailOf({ kind, to, reference }: z.output<typeof LoggedMail>): SentMail {
  return { kind, to: to ?? '', orderNumber: reference }
}

function eventOf(payload: Payload): ReceivedEvent[] {
  const { id, type, orderId } = payload
  return typeof orderId === 'string' ? [{ id, type, orderId, payload: JSON.stringify(payload) }] : []
}
