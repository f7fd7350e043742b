import { randomUUID } from 'node:crypto'
import { StorefrontError } from '@storefront/client'
import { OwnContents } from '../../parts/own-contents.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import { contentPolicy } from '../../server/security-headers.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import { bagIdOf } from '../../server/visitor.ts'
import { found, type Customer } from '../../shop/catalog.ts'
import { customerOf } from '../account/customer-of.ts'
import { missingFields, type Details, type Problems } from './details.ts'
import { EmptyCheckout } from './empty-checkout.tsx'
import { fieldProblem, PAYMENT_TIMEOUT_MS, placeOrder, type Placed } from './place-order.ts'
import { priceCheckout, type PricedCheckout } from './price-checkout.ts'
import { RazorpayForm, razorpayOrigins } from './razorpay.tsx'
import {
  afterError,
  attemptOf,
  contents,
  render,
  rerender,
  SIGN_IN,
  wholePage,
  type Attempt,
} from './render-checkout.tsx'

export function checkoutPages(app: App, storefront: Storefront): void {
  const script = storefront.config.RAZORPAY_CHECKOUT_URL
  const page = (route: string, view: (request: LiveRequest) => Promise<LiveResult>, method: 'GET' | 'POST' = 'POST') =>
    livePage(app, storefront, {
      method,
      route,
      view: async (request) => {
        allowPaymentForm(request, script)
        return view(request)
      },
    })
  page('/checkout', startCheckout, 'GET')
  page('/checkout', (request) => submit(request, script))
  page('/checkout/price', async (request) => rerender(request, {}))
  page('/checkout/address', useSavedAddress)
  page('/checkout/code', changeCode)
  page('/checkout/quantity', correctQuantity)
  page('/checkout/paid', verifyPayment)
}

/** Only the page that opens Razorpay's form loads anything from another host. */
function allowPaymentForm({ context, setResponseHeader }: LiveRequest, script: string): void {
  if (context.frame.settings.checkout?.mode !== 'razorpay') return
  setResponseHeader('content-security-policy', contentPolicy(context.assets, { payment: razorpayOrigins(script) }))
  // The pages of banks open in windows that report to the form.
  setResponseHeader('cross-origin-opener-policy', 'same-origin-allow-popups')
}

async function startCheckout(request: LiveRequest): Promise<LiveResult> {
  const { hasScript, bagId, context, query } = request
  const { t } = context.language
  if (!hasScript && bagId === undefined) {
    const address = query.get('payment') === 'cancelled' ? '/checkout?payment=cancelled' : '/checkout'
    const place = (
      <OwnContents id="checkout" from={address}>
        <EmptyCheckout />
      </OwnContents>
    )
    return wholePage(request, place, { awaitsBag: true })
  }
  const customer = await customerOf(request)
  if (!customer && requiresAccount(request)) return SIGN_IN
  if (bagId === undefined) return contents(request, <EmptyCheckout />)
  const details = savedDetails(request, customer)
  const notice = query.get('payment') === 'cancelled' ? t('checkout.paymentCancelled') : undefined
  const attempt = { bagId, attempt: randomUUID(), details }
  return render(request, attempt, { problems: { fields: {}, notice }, customer, isNew: true })
}

function requiresAccount({ context }: LiveRequest): boolean {
  return context.frame.settings.checkout?.requireAccount === true
}

/** What is known of a customer, and the country that a bag is priced for. */
function savedDetails({ context }: LiveRequest, customer: Customer | undefined): Details {
  const { addresses = [], email = '', firstName = '', lastName = '', phone = '' } = customer ?? {}
  const address = addresses.find(({ isDefault }) => isDefault) ?? addresses[0]
  const country = address?.country ?? context.frame.settings.commerce?.countries?.[0]?.[0] ?? ''
  return {
    email,
    name: address?.name ?? `${firstName} ${lastName}`.trim(),
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? '',
    city: address?.city ?? '',
    region: address?.region ?? '',
    postalCode: address?.postalCode ?? '',
    country,
    phone: address?.phone ?? phone,
    method: '',
    gift: '',
  }
}

/** Places the order, if the shopper has seen what it costs. */
async function submit(request: LiveRequest, script: string): Promise<LiveResult> {
  const { form } = request
  const attempt = attemptOf(request)
  if (!attempt) return contents(request, <EmptyCheckout />)
  const customer = await customerOf(request)
  if (!customer && requiresAccount(request)) return SIGN_IN
  const missing = missingFields(attempt.details)
  if (missing.length > 0) {
    const fields = Object.fromEntries(missing.map((field) => [field, fieldProblem(request, field, true)]))
    return rerender(request, { problems: { fields }, status: 422 })
  }
  try {
    if ((form.get('code') ?? '').trim() !== '') return await changeCode(request)
    const priced = await priceCheckout(request, attempt.bagId, attempt.details)
    // A bag that is gone may have become the order of this very form.
    const problems = priced && problemsBefore(request, priced)
    if (problems) return await rerender(request, { problems, priced, status: 409 })
    return finish(request, attempt, await placeOrder(request, attempt, priced?.cart), script)
  } catch (error) {
    return afterError(request, error)
  }
}

/** What the shopper must see or correct before an order with these amounts is placed. */
function problemsBefore(request: LiveRequest, { cart, faulty }: PricedCheckout): Problems | undefined {
  const { t, amount, money } = request.context.language
  if (faulty.length > 0) {
    return { fields: Object.fromEntries(faulty.map((field) => [field, fieldProblem(request, field, false)])) }
  }
  const seen = Number(request.form.get('seen') ?? Number.NaN)
  if (cart.lines.length === 0 || seen === cart.total.amount) return undefined
  const total = money(cart.total)
  if (!Number.isSafeInteger(seen)) return { fields: {}, notice: t('checkout.totalIs', { total }) }
  return { fields: {}, notice: t('checkout.totalChanged', { total, before: amount(seen, cart.currency) }) }
}

function finish(request: LiveRequest, { details, bagId }: Attempt, placed: Placed, script: string): LiveResult {
  if ('razorpay_order_id' in placed) {
    return contents(request, <RazorpayForm payment={placed} details={details} bagId={bagId} script={script} />)
  }
  if ('status' in placed) return toOrder(request, placed)
  request.setPayment({ id: placed.id, token: placed.accessToken })
  return { redirect: placed.url }
}

function toOrder(
  request: LiveRequest,
  { id, accessToken }: { id: string; accessToken?: string | undefined },
): LiveResult {
  request.setBag(undefined)
  const token = accessToken === undefined ? '' : `?token=${encodeURIComponent(accessToken)}`
  return { redirect: `/order/${encodeURIComponent(id)}${token}` }
}

async function useSavedAddress(request: LiveRequest): Promise<LiveResult> {
  const attempt = attemptOf(request)
  const customer = await customerOf(request)
  const address = customer?.addresses.find(({ id }) => id === request.form.get('saved'))
  if (!attempt || !address) return rerender(request, {})
  const { name, line1, line2, city, region, postalCode, country, phone } = address
  const details = { ...attempt.details, name, line1, line2, city, region, postalCode, country, phone }
  return render(request, { ...attempt, details }, { customer })
}

async function changeCode(request: LiveRequest): Promise<LiveResult> {
  const attempt = attemptOf(request)
  if (!attempt) return rerender(request, {})
  const isRemoved = request.form.get('removeCode') === '1'
  const code = isRemoved ? '' : (request.form.get('code') ?? '').trim()
  try {
    await request.shop.post('/carts/{id}/discount', { params: { path: { id: attempt.bagId } }, body: { code } })
    return await rerender(request, { typedCode: '' })
  } catch (error) {
    if (!(error instanceof StorefrontError) || error.code !== 'invalid_discount') return afterError(request, error)
    return rerender(request, { problems: { fields: { code: request.context.language.error(error) } }, status: 422 })
  }
}

/** Reduces the quantity of a line to what is left. */
async function correctQuantity(request: LiveRequest): Promise<LiveResult> {
  const attempt = attemptOf(request)
  const [lineId, left] = (request.form.get('line') ?? '').split(':')
  const quantity = Number(left)
  if (!attempt || bagIdOf(lineId ?? null) === undefined || !Number.isSafeInteger(quantity)) return rerender(request, {})
  const path = { id: attempt.bagId, lineId: lineId ?? '' }
  try {
    await (quantity === 0
      ? found(request.shop.delete('/carts/{id}/lines/{lineId}', { params: { path } }))
      : found(request.shop.patch('/carts/{id}/lines/{lineId}', { params: { path }, body: { quantity } })))
    return await rerender(request, {})
  } catch (error) {
    return afterError(request, error)
  }
}

/** What Razorpay's form has returned becomes the order. */
async function verifyPayment(request: LiveRequest): Promise<LiveResult> {
  const { form, shop, context } = request
  const read = (name: string) => form.get(name) ?? ''
  try {
    const order = await shop.post('/payments/verify', {
      body: {
        razorpay_order_id: read('razorpay_order_id'),
        razorpay_payment_id: read('razorpay_payment_id'),
        razorpay_signature: read('razorpay_signature'),
      },
      timeoutMs: PAYMENT_TIMEOUT_MS,
    })
    return toOrder(request, order)
  } catch (error) {
    if (!(error instanceof StorefrontError)) throw error
    const isUnpaid = error.code === 'payment_failed' || error.code === 'bad_signature'
    const notice = context.language.t(isUnpaid ? 'checkout.declined' : 'checkout.paymentUnknown')
    request.moveTo('#checkout-away')
    return { fragment: <p class="notice notice-problem">{notice}</p>, status: error.status ?? 503 }
  }
}
