import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../launch.ts'
import { packageCache } from '../testing/global-setup.ts'
import { createFakeRazorpay } from '../testing/fake-razorpay.ts'
import { createFakeServer } from '../testing/fake-server.ts'
import { Caller } from './caller.ts'
import { openMailbox } from './mailbox.ts'
import { Recorder, type Recording } from './recorder.ts'
import { textAt } from './read-value.ts'
import { stable } from './stable-values.ts'
import { browse } from './walk/browse.ts'
import { checkOut } from './walk/check-out.ts'
import { fillCart } from './walk/fill-cart.ts'
import { closeAccount, keepAccount, readNewsletter } from './walk/keep-account.ts'
import { manageAccess } from './walk/manage-access.ts'
import { moveCatalog } from './walk/move-catalog.ts'
import { serveOrders } from './walk/serve-orders.ts'
import { sendMails, sendWebhooks } from './walk/notify-others.ts'
import { setUpShop, tendLibrary, tendProducts, tendShelves } from './walk/tend-catalog.ts'
import type { Walk } from './walk/walk.ts'

/** In the order of a shop's life: what comes later shows what came before. */
const CHAPTERS: readonly ((walk: Walk) => Promise<void>)[] = [
  browse,
  fillCart,
  checkOut,
  keepAccount,
  serveOrders,
  readNewsletter,
  closeAccount,
  tendProducts,
  tendShelves,
  tendLibrary,
  setUpShop,
  moveCatalog,
  manageAccess,
  sendWebhooks,
  sendMails,
]

/** Counted twice in a row, requests of one address would run into the limits. */
const NO_LIMITS = Object.fromEntries(
  ['GENERAL', 'AUTH', 'RESET', 'LOOKUP', 'NEWSLETTER', 'DISCOUNT', 'CHECKOUT', 'WEBHOOKS'].map((name) => [
    `RATE_LIMIT_${name}`,
    '0',
  ]),
)

/**
 * Starts a demo shop, calls every operation once, and stops the shop.
 * @param print prints each step
 * @returns examples by the name of their operation, the same in every run; and the operations without one
 */
export async function recordExamples(
  print: (line: string) => void,
): Promise<{ examples: Map<string, Recording>; missing: string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-examples-'))
  const [mailbox, razorpay] = await Promise.all([openMailbox(), createFakeRazorpay()])
  const receiver = await createFakeServer(() => ({ status: 200, body: {} }))
  const startedAtMs = Date.now()
  try {
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: 'admin@example.com',
      SECRETS_KEY: 'a key for the secrets of the demo shop',
      STOREFRONT_URL: receiver.url,
      SMTP_URL: mailbox.url,
      RAZORPAY_BASE_URL: razorpay.url,
      ...NO_LIMITS,
    }
    const shop = await launch({ env, dataDir, cacheDir: packageCache(), seed: true, print })
    try {
      const recorder = await Recorder.open(shop.url)
      const admin = new Caller('admin')
      const credentials = { email: shop.adminEmail, password: shop.adminPassword }
      admin.token = textAt(await recorder.peek(admin, 'POST /admin/auth/login', { body: credentials }), 'token')
      const receiverUrl = `${receiver.url}/hooks`
      const walk = { recorder, admin, adminPassword: shop.adminPassword, mailbox, razorpay, receiverUrl }
      for (const chapter of CHAPTERS) await chapter(walk)
      const addresses = new Map([
        [shop.url, 'http://localhost:8080'],
        [shop.publicUrl, 'http://localhost:8080'],
        [receiverUrl, 'https://erp.example/hooks'],
        [receiver.url, 'http://localhost:5173'],
        [razorpay.keyId, 'rzp_test_anExampleOfAKey'],
        [shop.adminPassword, 'the-password-of-the-first-admin'],
      ])
      const examples = [...recorder.recordings].map(([name, recording]): [string, Recording] => [
        name,
        stable(recording, { startedAtMs, addresses }),
      ])
      return { examples: new Map(examples), missing: recorder.missing }
    } finally {
      await shop.stop()
    }
  } finally {
    await Promise.all([mailbox.stop(), razorpay.stop(), receiver.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
}
