import { z } from 'zod'
import type { FakeRazorpay } from '../../testing/fake-razorpay.ts'
import { Caller } from '../caller.ts'
import type { Mailbox } from '../mailbox.ts'
import type { Recorder } from '../recorder.ts'
import { textAt } from '../read-value.ts'

/** What every chapter of the walk through the shop needs. */
export interface Walk {
  recorder: Recorder
  admin: Caller
  adminPassword: string
  mailbox: Mailbox
  razorpay: FakeRazorpay
  /** Takes any webhook. */
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

/** Makes an account and signs in with it. */
export async function register({ recorder }: Walk, email: string): Promise<Caller> {
  const customer = new Caller('customer')
  const body = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' }
  customer.token = textAt(await recorder.call(new Caller('anonymous'), 'POST /auth/register', { body }), 'token')
  return customer
}

const Stock = z.object({ variants: z.array(z.object({ id: z.string(), inventory: z.number() })) })

/** @returns the id of the variant of the shirt of which most are left */
export async function shirtInStock({ recorder }: Walk): Promise<string> {
  const { variants } = Stock.parse(await recorder.peek(client(), 'GET /products/{slug}', { path: { slug: SHIRT } }))
  const [most] = variants.toSorted((one, other) => other.inventory - one.inventory)
  if (most === undefined || most.inventory < 10) throw new Error(`${SHIRT} is nearly sold out.`)
  return most.id
}

/** A new cart with so many of the shirt. */
export async function cartWith(walk: Walk, caller: Caller, quantity: number): Promise<string> {
  const { recorder } = walk
  const id = textAt(await recorder.call(caller, 'POST /carts', { body: { fresh: true } }), 'id')
  const body = { variant_id: await shirtInStock(walk), quantity }
  await recorder.call(caller, 'POST /carts/{id}/lines', { path: { id }, body })
  return id
}

export function checkoutOf(email: string) {
  return { email, shipping_method: 'standard', shipping_address: ADDRESS }
}

/** Buys the shirt. @returns the order as its buyer gets it */
export async function buy(walk: Walk, caller: Caller, email: string, quantity = 1): Promise<unknown> {
  const id = await cartWith(walk, caller, quantity)
  const headers = { 'idempotency-key': `order-of-${id}` }
  return walk.recorder.call(caller, 'POST /carts/{id}/checkout', { path: { id }, headers, body: checkoutOf(email) })
}

/** Waits until the demo provider has paid an order. */
export async function untilPaid({ recorder, admin }: Walk, id: string): Promise<void> {
  await until(`order ${id} is paid`, async () => {
    const order = await recorder.peek(admin, 'GET /admin/orders/{id}', { path: { id } })
    return textAt(order, 'payment', 'status') === 'captured'
  })
}

/** Waits for what happens in the background. @throws after half a minute */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`It did not happen that ${what}.`)
}
