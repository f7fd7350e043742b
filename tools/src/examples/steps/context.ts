import { z } from 'zod'
import { waitUntil } from '../../infrastructure/wait-until.ts'
import type { FakeRazorpay } from '../../testing/fake-razorpay.ts'
import { Caller } from '../caller.ts'
import type { Mailbox } from '../mailbox.ts'
import type { Recorder } from '../recorder.ts'
import { textAt } from '../read-value.ts'

/** What every step of the recording needs. */
export interface StepContext {
  recorder: Recorder
  admin: Caller
  adminPassword: string
  mailbox: Mailbox
  razorpay: FakeRazorpay
  /** An endpoint that accepts any webhook. */
  receiverUrl: string
}

export const SHIRT = 'linen-camp-shirt'
export const PASSWORD = 'correct horse battery staple'
export const ADDRESS = {
  name: 'Ada Lovelace',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  region: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '',
}

export function client(): Caller {
  return new Caller('anonymous')
}

/** Registers a customer and signs in. */
export async function register({ recorder }: StepContext, email: string): Promise<Caller> {
  const customer = new Caller('customer')
  const body = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' }
  customer.token = textAt(await recorder.call(new Caller('anonymous'), 'POST /auth/register', { body }), 'token')
  return customer
}

const Stock = z.object({ variants: z.array(z.object({ id: z.string(), inventory: z.number() })) })

/** @returns the id of the variant of the shirt with the largest stock */
export async function shirtInStock({ recorder }: StepContext): Promise<string> {
  const { variants } = Stock.parse(await recorder.peek(client(), 'GET /products/{slug}', { path: { slug: SHIRT } }))
  const [most] = variants.toSorted((one, other) => other.inventory - one.inventory)
  if (most === undefined || most.inventory < 10) throw new Error(`${SHIRT} is nearly sold out.`)
  return most.id
}

/** Creates a cart with this quantity of the shirt. */
export async function cartWith(context: StepContext, caller: Caller, quantity: number): Promise<string> {
  const { recorder } = context
  const id = textAt(await recorder.call(caller, 'POST /carts', { body: { fresh: true } }), 'id')
  const body = { variant_id: await shirtInStock(context), quantity }
  await recorder.call(caller, 'POST /carts/{id}/lines', { path: { id }, body })
  return id
}

export function checkoutOf(email: string) {
  return { email, shipping_method: 'standard', shipping_address: ADDRESS }
}

/** Buys the shirt. @returns the reply to the checkout */
export async function buy(context: StepContext, caller: Caller, email: string, quantity = 1): Promise<unknown> {
  const id = await cartWith(context, caller, quantity)
  const headers = { 'idempotency-key': `order-of-${id}` }
  const body = { ...checkoutOf(email), gift_message: 'Happy birthday!' }
  return context.recorder.call(caller, 'POST /carts/{id}/checkout', { path: { id }, headers, body })
}

/** Waits until the demo provider has paid an order. */
export async function untilPaid({ recorder, admin }: StepContext, id: string): Promise<void> {
  await until(`order ${id} is paid`, async () => {
    const order = await recorder.peek(admin, 'GET /admin/orders/{id}', { path: { id } })
    return textAt(order, 'payment', 'status') === 'captured'
  })
}

/** Waits until a condition of background work is true. @throws after half a minute */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  if (await waitUntil(isSo, { timeoutMs: 30_000, everyMs: 100 })) return
  throw new Error(`Timeout: waited without success until ${what}.`)
}
