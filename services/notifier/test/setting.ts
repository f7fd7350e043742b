import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { actorVerifier, readConfig, systemClock, type ActorVerifier, type Clock, type Log } from '@storefront/service'
import { replyTo, type Messaging } from '@storefront/messaging'
import { createDatabase } from '@storefront/postgres'
import type { ResolveName } from '@storefront/http'
import {
  eventSubject,
  newId,
  ReadNotificationSettings,
  ReadOrderLink,
  type EventDefinition,
  type Order,
  type OrderPlaced,
} from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { z } from 'zod'
import { NotifierConfig } from '../src/config.ts'
import type { Database, NotifierTables } from '../src/database.ts'
import type { ShopSettings } from '../src/settings/settings-reader.ts'
import { startNotifier, type RunningNotifier } from '../src/start.ts'

export const SECRET = `whsec_${randomBytes(32).toString('base64')}`

export interface Setting {
  suite: Suite
  /** Catalog's reply about the shop; a test may change it. */
  shop: ShopSettings
  /** How often catalog sent the settings of the shop, instead of replying that they are unchanged. */
  settingsSent: number
  /** Orders' reply to a request for the link to an order; a test may change it. */
  orderLink: (orderId: string) => Promise<{ accessToken?: string }>
  /** Starts a notifier in this process; `stop` of the setting stops it if the test did not. */
  start(env: Record<string, string>, clock?: Clock, resolve?: ResolveName): Promise<RunningNotifier>
  /** Starts a notifier that several tests use: they stop it, because `clear` does not. */
  startShared(env: Record<string, string>): Promise<RunningNotifier>
  env(more: Record<string, string>): Record<string, string>
  /** Publishes an event as its owner does. @returns its id */
  publish<Data>(event: EventDefinition<string, Data>, data: Data, id?: string, at?: Date): Promise<string>
  deliveries(): Promise<Delivery[]>
  /** Waits until this number of deliveries, or one, have this status. */
  settled(status: string, count?: number): Promise<Delivery[]>
  mails(): Promise<Mail[]>
  /** Waits until this number of mails, or one, are in this phase. */
  phase(wanted: string, count?: number): Promise<Mail[]>
  /** Runs `work` with the database user of the service. */
  withDatabase(work: (db: Database) => Promise<void>): Promise<void>
  /** Empties the queues between tests. */
  clear(): Promise<void>
  stop(): Promise<void>
}

export interface Delivery {
  id: string
  event_id: string
  type: string
  body: string
  status: string
  attempts: number
  merged_events: number
  last_status: number | null
  last_error: string | null
  next_attempt_at: Date
}

interface Mail {
  event_id: string
  kind: string
  phase: string
  attempts: number
  answer: string | null
}

export async function createSetting(): Promise<Setting> {
  const suite = await createSuite('notifier')
  const owners = new Map<string, Promise<Messaging>>()
  const started = new Set<RunningNotifier>()

  function ownerOf({ from }: EventDefinition): Promise<Messaging> {
    const messaging = owners.get(from) ?? suite.openMessaging(from)
    owners.set(from, messaging)
    return messaging
  }

  const shop: ShopSettings = {
    version: 1,
    storeName: 'Linen & Co',
    locale: 'en-US',
    currency: 'USD',
    notifications: {},
  }
  const catalog = await connect(suite, 'catalog')
  replyTo(catalog, ReadNotificationSettings, ({ knownVersion }) => {
    if (knownVersion === shop.version) return Promise.resolve({ version: shop.version, isUnchanged: true as const })
    setting.settingsSent++
    return Promise.resolve(shop)
  })
  const orders = await connect(suite, 'orders')
  replyTo(orders, ReadOrderLink, ({ orderId }) => setting.orderLink(orderId))

  const env = (more: Record<string, string>) => ({
    ...suite.env('notifier'),
    PORT: '0',
    STOREFRONT_WEBHOOK_SECRET: SECRET,
    STOREFRONT_URL: 'http://127.0.0.1:9',
    CLAIM_LEASE_MS: '1200',
    POLL_INTERVAL_MS: '100',
    ...more,
  })

  const setting: Setting = {
    suite,
    shop,
    settingsSent: 0,
    orderLink: (orderId) => Promise.resolve({ accessToken: accessTokenOf(orderId) }),
    env,
    async start(more, clock, resolve) {
      const notifier = await startNotifier(readConfig(NotifierConfig, env(more)), suite.log, clock, resolve)
      started.add(notifier)
      return {
        ...notifier,
        stop: async () => {
          started.delete(notifier)
          await notifier.stop()
        },
      }
    },
    startShared: (more) => startNotifier(readConfig(NotifierConfig, env(more)), suite.log),
    async publish(event, data, id = newId('event'), at = new Date()) {
      const messaging = await ownerOf(event)
      const envelope = { id, name: event.name, at: at.toISOString(), data: event.data.parse(data) }
      // There is no Nats-Msg-Id, unlike that of the relay, so that an event can be published twice.
      const connection = messaging.connection()
      connection.publish(eventSubject(messaging.namespace, event), JSON.stringify(envelope))
      await connection.flush()
      return id
    },
    deliveries: () => suite.sql<Delivery>('select * from notifier.deliveries order by seq'),
    settled: (status, count = 1) =>
      waitFor(`${count} deliveries that are ${status}`, async () => {
        const found = (await setting.deliveries()).filter((delivery) => delivery.status === status)
        return found.length >= count ? found : undefined
      }),
    mails: () => suite.sql('select event_id, kind, phase, attempts, answer from notifier.mails order by seq'),
    phase: (wanted, count = 1) =>
      waitFor(`${count} mails that are ${wanted}`, async () => {
        const found = (await setting.mails()).filter((mail) => mail.phase === wanted)
        return found.length >= count ? found : undefined
      }),
    async withDatabase(work) {
      const url = suite.databaseUrl('notifier')
      const db = createDatabase<NotifierTables>({ url, poolSize: 1, name: 'test', log: suite.log })
      try {
        await work(db)
      } finally {
        await db.destroy()
      }
    },
    async clear() {
      for (const notifier of started) await notifier.stop()
      started.clear()
      await suite.sql(`
        delete from notifier.attempts;
        delete from notifier.deliveries;
        delete from notifier.mails;
        delete from notifier.mail_counts;
        delete from notifier.erased_addresses;
        delete from notifier.endpoints;
        delete from notifier.smtp_password`)
    },
    async stop() {
      for (const notifier of started) await notifier.stop()
      await suite.stop()
    },
  }
  return setting
}

/** The access token that the test double of orders returns, always the same for one order. */
export function accessTokenOf(orderId: string): string {
  return `token-of-${orderId}`
}

/** Connects another service to NATS, to send requests or to reply with `replyTo`. */
export async function connect(
  suite: Suite,
  service: 'catalog' | 'identity' | 'orders',
): Promise<{ messaging: Messaging; verifyActor: ActorVerifier; log: Log }> {
  const { ACTOR_PUBLIC_KEY: key = '' } = suite.env(service)
  const messaging = await suite.openMessaging(service)
  return { messaging, verifyActor: actorVerifier(key, systemClock), log: suite.log }
}

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  received: Received[]
  /** Responds to requests from now on, with 200 by default. */
  answer: (response: ServerResponse, request: Received, count: number) => void
  stop(): Promise<void>
}

/** Starts a real HTTP server in place of a storefront, which records the requests it gets. */
export async function createReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: (response) => response.end('thanks'),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() }
      receiver.received.push(got)
      receiver.answer(response, got, receiver.received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${portOf(server.address())}`
  return receiver
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

export function orderPlaced(number: string, change: Partial<Order> = {}): z.output<typeof OrderPlaced.data> {
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  return {
    cartId: 'cart_1',
    reservation: { id: 'cart_1', claim: 'claim_1' },
    locale: 'en-US',
    order: {
      id: newId('order'),
      number,
      status: 'placed',
      placedAt: '2026-03-02T10:00:00.000Z',
      lines: [
        {
          id: 'line_1',
          variantId: 'var_1',
          productSlug: 'linen-shirt',
          title: 'Linen Shirt',
          options: { Color: 'Ecru', Size: 'M' },
          image: { url: 'http://localhost/media/a.svg', alt: 'Linen Shirt' },
          quantity: 2,
          unitPrice: usd(16800),
          lineTotal: usd(33600),
        },
      ],
      subtotal: usd(33600),
      discount: usd(3360),
      shipping: usd(0),
      tax: usd(2419),
      total: usd(32659),
      discountCode: { code: 'WELCOME10', label: '10% off' },
      shippingAddress: {
        name: 'Ada Lovelace',
        line1: '12 Analytical Row',
        line2: '',
        city: 'London',
        region: '',
        postalCode: 'W1 1AA',
        country: 'GB',
        phone: '',
      },
      shippingMethod: 'standard',
      email: 'ada@example.com',
      payment: { provider: 'demo', status: 'pending' },
      refunds: [],
      refundedTotal: usd(0),
      ...change,
    },
  }
}
