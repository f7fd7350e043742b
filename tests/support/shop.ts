import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'pg'
import { inject } from 'vitest'
import { Product, SERVICE_NAMES, type OrderMailKind, type ServiceName } from '@storefront/contracts'
import { serverOfEnvironment } from '@storefront/tools/infrastructure'
import { launch, type LaunchOptions, type RunningShop } from '@storefront/tools/launch'
import {
  createNamespace,
  deleteNamespace,
  NO_RATE_LIMITS,
  packageCache,
  startMailServer,
  startOwnRedis,
  STREAM_MAX_BYTES,
  temporaryFolder,
} from '@storefront/tools/testing'
import { shopDatabaseUrl } from '@storefront/tools/with-client'
import { TestClient } from './test-client.ts'
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export interface TestShop {
  /** The folder with everything that the shop writes. */
  dataDir: string
  shop: RunningShop
  receiver: WebhookReceiver
  client: () => TestClient
  admin: TestClient
  /** Creates a product with one size and this many units. @returns the product as a shopper sees it */
  stockProduct: (slug: string, units: number) => Promise<Product>
  /** The units that `stockProduct` created, by the id of the variant. */
  stocked: ReadonlyMap<string, number>
  /** The mails of this kind about this order that arrived so far at a real mail server; by default `orderPlaced`. */
  mailsFor: (orderNumber: string, kind?: OrderMailKind) => Promise<string[]>
  /** The lines that the services logged about a request. */
  linesAbout: (requestId: string) => Promise<string[]>
  /** SQL with all rights, for looking into the database. */
  sql: <Row>(text: string, values?: unknown[]) => Promise<Row[]>
  stop: () => Promise<void>
}

const SETTINGS = {
  pricing: { currency: 'USD', locale: 'en-US' },
  commerce: {
    freeShippingOver: 15_000,
    shippingMethods: [
      { id: 'standard', label: 'Standard', price: { amount: 695, currency: 'USD' } },
      { id: 'express', label: 'Express', price: { amount: 1495, currency: 'USD' } },
    ],
    countries: ['US', 'GB'],
    tax: { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false },
  },
  checkout: { mode: 'demo', createUrl: '' },
}

interface ShopOptions extends Pick<LaunchOptions, 'serviceEnvironment' | 'infrastructureSettings'> {
  env?: Record<string, string>
  /** PostgreSQL, Redis and NATS for this shop alone, as `npm start` has them: for tests that stop them. */
  ownServers?: boolean
  /** The reference storefront in place of the receiver of webhooks; it must be built. */
  storefront?: boolean
  /** A folder that stays at the end, for a shop that starts again with it. */
  dataDir?: string
  /** The demo shop as merchants and shoppers see it after `npm start`, in place of an empty shop. */
  seed?: boolean
}

/**
 * Starts the whole shop in the process of the test and on the servers that all tests share, with a storefront that
 * receives webhooks. It is fast, but no part of it can be killed: tests of faults need `openShopOfProcesses`.
 * @param options.ownRedis a Redis for this shop alone, for a test that stops it
 */
export async function openShop({
  env,
  ownServers = false,
  ownRedis = false,
  ...options
}: ShopOptions & { ownRedis?: boolean } = {}): Promise<TestShop> {
  const keepsServers = !ownServers && !ownRedis
  return open({
    ...options,
    ...(await (ownRedis ? shareServersExceptRedis() : serversOf(ownServers))),
    inThisProcess: true,
    // The services share the event loop with the test, which is late on a busy machine without any overload.
    env: {
      LOG_LEVEL: 'info',
      PASSWORD_HASH_COST: 'lowest',
      OVERLOAD_DELAY_MS: '60000',
      // A test that stops its own servers does so to see what happens while they are away.
      ...(keepsServers && {
        DATABASE_CONNECT_MS: '20000',
        REQUEST_TIMEOUT_MS: '20000',
        UPSTREAM_TIMEOUT_MS: '60000',
      }),
      ...env,
    },
  })
}

/**
 * Starts the whole shop with each service in a process of its own, which can be killed.
 * @param options.dropsMails for a test that looks at no mail: this process receives them, and there is no mailbox
 */
export async function openShopOfProcesses({
  env,
  ownServers = false,
  dropsMails = false,
  ...options
}: ShopOptions & Pick<LaunchOptions, 'replicas'> & { dropsMails?: boolean } = {}): Promise<TestShop> {
  const { removed, ...servers } = await serversOf(ownServers)
  const mails = dropsMails ? await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] }, () => {}) : undefined
  return open({
    ...options,
    ...servers,
    // Tests kill services far more often than they crash in a real shop, so restarts have no long pause.
    restartPauseMs: { least: 100, most: 100 },
    env: {
      LOG_LEVEL: 'debug',
      STARTUP_MEMORY: 'keep',
      PASSWORD_HASH_COST: 'lowest',
      ...(mails && { SMTP_URL: `smtp://127.0.0.1:${mails.port}` }),
      ...env,
    },
    async removed() {
      await mails?.stop()
      await removed()
    },
  })
}

const serversOf = (own: boolean) => (own ? { removed: async () => {} } : shareServers())

/** @returns options of `launch` for a shop on the servers that all tests share, and a function to call after its end */
export async function shareServers() {
  const servers = inject('servers')
  const namespace = await createNamespace(servers, SERVICE_NAMES)
  return {
    sharedServers: {
      postgres: serverOfEnvironment(servers.databaseAdminUrl),
      redis: serverOfEnvironment(servers.redisUrl),
      nats: {
        ...serverOfEnvironment(servers.natsAdminUrl),
        urlFor: (user: ServiceName) => servers.natsUrls[user],
      },
      namespace,
      streamMaxBytes: STREAM_MAX_BYTES,
    },
    removed: () => deleteNamespace(servers, namespace),
  }
}

async function shareServersExceptRedis() {
  const { sharedServers, removed } = await shareServers()
  const redis = await startOwnRedis()
  return {
    sharedServers: { ...sharedServers, redis },
    removed: async () => {
      await removed()
      await redis.remove()
    },
  }
}

async function open({
  env,
  removed,
  seed = false,
  dataDir: folder,
  ...options
}: Partial<LaunchOptions> & { removed: () => Promise<void> }): Promise<TestShop> {
  const dataDir = folder ?? (await temporaryFolder('storefront-shop'))
  const isNew = !existsSync(join(dataDir, 'secrets.json'))
  const receiver = await openWebhookReceiver()
  const shop = await launch({
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      ...(options.storefront !== true && { STOREFRONT_URL: receiver.url }),
      ...NO_RATE_LIMITS,
      UNDECLARED_ERRORS: 'reject',
      ...env,
    },
    dataDir,
    cacheDir: packageCache(),
    seed,
    print: () => {},
    ...options,
  })
  receiver.useSecret(shop.webhookSecret)
  const database = new Pool({ connectionString: shopDatabase(shop), max: 2 })
  // Tests stop PostgreSQL, so the loss of an idle connection is expected.
  database.on('error', () => {})
  const stocked = new Map<string, number>()
  const admin = new TestClient(shop.url)
  await admin.signInAsAdmin(shop.adminEmail, shop.adminPassword)
  if (!seed && isNew) await importInto(admin, { settings: SETTINGS })

  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await database.query<Row & Record<string, unknown>>(text, values)).rows
  return {
    dataDir,
    shop,
    receiver,
    client: () => new TestClient(shop.url),
    admin,
    sql,
    stocked,
    async stockProduct(slug, units) {
      await importInto(admin, { products: [shirt(slug, units)] })
      const product = Product.parse((await new TestClient(shop.url).get(`/products/${slug}`)).body)
      for (const { id } of product.variants) stocked.set(id, units)
      return product
    },
    mailsFor: (orderNumber, kind = 'orderPlaced') => mailsIn(join(dataDir, 'mail'), orderNumber, kind),
    linesAbout: (requestId) => linesIn(join(dataDir, 'logs'), requestId),
    async stop() {
      await database.end()
      await shop.stop()
      await receiver.close()
      await removed()
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Stops a shop after a check of its data, also when that fails. */
export async function stopAfter(check: Promise<void>, shop: Pick<TestShop, 'stop'>): Promise<void> {
  try {
    await check
  } finally {
    await shop.stop()
  }
}

async function importInto(admin: TestClient, body: Record<string, unknown>): Promise<void> {
  const response = await admin.post('/admin/import', { mode: 'merge', ...body })
  if (response.status !== 200) throw new Error(`the import was rejected: ${JSON.stringify(response.body)}`)
}

const shirt = (slug: string, units: number) => ({
  slug,
  title: `Shirt ${slug}`,
  price: { amount: 4000, currency: 'USD' },
  options: [{ name: 'Size', values: ['M'] }],
  variants: [{ sku: `${slug}-M`, options: { Size: 'M' }, inventory: units }],
})

async function mailsIn(folder: string, orderNumber: string, kind: OrderMailKind): Promise<string[]> {
  // Files are named after the Message-ID, which contains the kind.
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.includes(`.${kind}`))
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return mails.filter((mail) => new RegExp(`^Subject: .*${orderNumber}\\b`, 'm').test(mail))
}

async function linesIn(folder: string, requestId: string): Promise<string[]> {
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  return logs.flatMap((text) => text.split('\n').filter((line) => line.includes(requestId)))
}

/** The database of the shop on the server that the launcher names. */
export function shopDatabase({ databaseAdminUrl, namespace }: RunningShop): string {
  return shopDatabaseUrl(databaseAdminUrl, namespace)
}
