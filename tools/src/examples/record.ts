import type { RunningShop } from '../launch.ts'
import { createFakeRazorpay, type FakeRazorpay } from '../testing/fake-razorpay.ts'
import { createFakeServer, type FakeServer } from '../testing/fake-server.ts'
import { NO_RATE_LIMITS, scriptEnvironment } from '../testing/script-environment.ts'
import { inShop } from '../update-from-shop.ts'
import { Caller } from './caller.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { Recorder, type Recording } from './recorder.ts'
import { textAt } from './read-value.ts'
import { stable } from './stable-values.ts'
import { browse } from './steps/browse.ts'
import { checkOut } from './steps/check-out.ts'
import { fillCart } from './steps/fill-cart.ts'
import { awaitProduct, closeAccount, manageAccount, readNewsletter } from './steps/manage-account.ts'
import { manageAccess } from './steps/manage-access.ts'
import { moveCatalog } from './steps/move-catalog.ts'
import { serveCustomers } from './steps/serve-customers.ts'
import { serveOrders } from './steps/serve-orders.ts'
import { sendMails, sendWebhooks } from './steps/notify-others.ts'
import { setUpShop, editLibrary, editInBulk, editProducts, editCategories } from './steps/edit-catalog.ts'
import type { StepContext } from './steps/context.ts'
import { watchIdle } from './watch-idle.ts'

/** The order matters: later steps show orders, mails and audit entries of earlier ones. */
const STEPS: readonly ((context: StepContext) => Promise<void>)[] = [
  browse,
  fillCart,
  checkOut,
  manageAccount,
  serveOrders,
  serveCustomers,
  readNewsletter,
  awaitProduct,
  closeAccount,
  editProducts,
  editInBulk,
  editCategories,
  editLibrary,
  setUpShop,
  moveCatalog,
  manageAccess,
  sendWebhooks,
  sendMails,
]

/**
 * Starts a demo shop, calls every operation once, and stops the shop.
 * @returns examples by the name of their operation, which are the same in every run, and the operations without an
 * example
 */
export async function recordExamples(): Promise<{ examples: Map<string, Recording>; missing: string[] }> {
  const [mailbox, razorpay] = await Promise.all([openMailbox(), createFakeRazorpay()])
  const receiver = await createFakeServer(() => ({ status: 200, body: {} }))
  const options = { mailbox, razorpay, receiver, startedAtMs: Date.now() }
  try {
    const env = {
      ...scriptEnvironment(),
      SECRETS_KEY: 'a key for the secrets of the demo shop',
      STOREFRONT_URL: receiver.url,
      SMTP_URL: mailbox.url,
      RAZORPAY_BASE_URL: razorpay.url,
      ...NO_RATE_LIMITS,
    }
    return await inShop({ env, seed: true }, (shop) => recordSteps(shop, options))
  } finally {
    await Promise.all([mailbox.stop(), razorpay.stop(), receiver.stop()])
  }
}

interface RecordOptions {
  mailbox: Mailbox
  razorpay: FakeRazorpay
  receiver: FakeServer
  startedAtMs: number
}

async function recordSteps(
  shop: RunningShop,
  { mailbox, razorpay, receiver, startedAtMs }: RecordOptions,
): ReturnType<typeof recordExamples> {
  const watch = await watchIdle(shop)
  try {
    const recorder = await Recorder.open(shop.url, watch.untilIdle)
    const admin = new Caller('admin')
    const credentials = { email: shop.adminEmail, password: shop.adminPassword }
    admin.token = textAt(await recorder.peek(admin, 'POST /admin/auth/login', { body: credentials }), 'token')
    const receiverUrl = `${receiver.url}/hooks`
    const context = { recorder, admin, adminPassword: shop.adminPassword, mailbox, razorpay, receiverUrl }
    for (const step of STEPS) await step(context)
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
    await watch.stop()
  }
}
