import { z } from 'zod'
import { newSecret, type App } from '@storefront/http'
import { DependencyUnavailable } from '@storefront/service'
import { Order } from '@storefront/contracts'
import { grant, maySee, viewerOf } from '../access/capability.ts'
import { isClosed } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import {
  missingPaymentFields,
  orderNotFound,
  paidForBoughtGoods,
  paymentFailed,
  paymentNotArrived,
  unconfirmedPayment,
} from '../errors.ts'
import { publicOrder } from '../orders/order.ts'
import { ProviderRejection, ProviderUnavailable, type PaymentUpdate, type SignedResult } from './provider.ts'
import { applyPaymentUpdate } from './apply-payment-update.ts'
import { REQUEST_DEADLINE_MS, withDeadline } from './with-deadline.ts'

const FIELDS = ['razorpay_order_id', 'razorpay_payment_id', 'razorpay_signature'] as const
const Field = z.string().max(500).optional()
const Body = z.object({
  razorpay_order_id: Field.describe('As in the response of the checkout and in the result of the form.'),
  razorpay_payment_id: Field.describe("Razorpay's id of the payment, from the result of the form."),
  razorpay_signature: Field.describe("Razorpay's signature over the two, from the result of the form."),
})
/** The same as Razorpay's own page sends it. */
export const FormResult = Body.nullish()

/**
 * Turns the result of Razorpay's form into an order. The form's result alone is not enough: the payment is looked up
 * at Razorpay. The webhook brings the same update, and whichever comes second finds the order.
 */
export function verifyPaymentRoute(app: App, context: OrdersContext): void {
  app.post('/payments/verify', {
    config: {
      access: 'public',
      errors: ['bad_signature', 'conflict', 'missing_fields', 'not_found', 'payment_failed', 'payment_not_captured'],
    },
    schema: {
      summary: "Turn a payment made in Razorpay's form into an order",
      description:
        "Checks the signature and looks up the payment at Razorpay before it places the order. Razorpay's webhook leads " +
        'to the same order, and so does a second call.',
      body: FormResult,
      response: { 200: Order },
    },
    handler: async (request, reply) => {
      const result = resultOf(request.body ?? {})
      const update = await verifyAtProvider(context, result)
      if (update?.status === 'failed') throw paymentFailed()
      if (update?.status !== 'captured') throw paymentNotArrived()
      const outcome = await applyPaymentUpdate(context, update)
      if (outcome.kind === 'unknown') throw orderNotFound()
      if (outcome.kind === 'session') throw paymentNotArrived()
      const { order } = outcome
      if (outcome.kind === 'surplus' && !(await maySee(context.db, order, viewerOf(context.browsers, request)))) {
        throw paidForBoughtGoods()
      }
      if (await isClosed(context.db, order.id)) throw orderNotFound()
      const browser = context.browsers.rotate(request, order.id)
      const accessToken = newSecret()
      await grant(context.db, order.id, [browser.secret, accessToken])
      browser.send(reply)
      return { ...publicOrder(order), accessToken }
    },
  })
}

/** @throws HttpError `missing_fields` with the names of the missing fields */
export function resultOf(body: { [Name in (typeof FIELDS)[number]]?: string | undefined }): SignedResult {
  const { razorpay_order_id: session, razorpay_payment_id: reference, razorpay_signature: signature } = body
  if (!session || !reference || !signature) throw missingPaymentFields(FIELDS.filter((name) => !body[name]))
  return { providerSession: session, reference, signature }
}

export async function verifyAtProvider(
  { providers, log }: OrdersContext,
  result: SignedResult,
): Promise<PaymentUpdate | undefined> {
  const razorpay = providers.get('razorpay')
  if (!razorpay?.verifyResult) throw unconfirmedPayment()
  try {
    return await withDeadline('razorpay', async () => razorpay.verifyResult?.(result), REQUEST_DEADLINE_MS)
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw new DependencyUnavailable(error.provider, error)
    if (!(error instanceof ProviderRejection)) throw error
    // Signed by Razorpay and yet unknown there: the merchant's key is wrong or belongs to another account.
    log.error(
      { err: error, payment: result.reference },
      'a signed payment was not found at Razorpay: check that the key id and the key secret belong to one account',
    )
    throw new DependencyUnavailable(error.provider, error)
  }
}
