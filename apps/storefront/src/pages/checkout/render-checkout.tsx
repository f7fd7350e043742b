import { randomUUID } from 'node:crypto'
import { StorefrontError } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import type { LiveRequest, LiveResult } from '../../server/live-page.tsx'
import { bagIdOf } from '../../server/visitor.ts'
import type { Customer } from '../../shop/catalog.ts'
import { customerOf } from '../account/customer-of.ts'
import { CheckoutForm } from './checkout-form.tsx'
import { CheckoutUnavailable } from './checkout-unavailable.tsx'
import { NO_PROBLEMS, readDetails, type Details, type Problems } from './details.ts'
import { EmptyCheckout } from './empty-checkout.tsx'
import { fieldProblem, problemsOf } from './place-order.ts'
import { priceCheckout, type PricedCheckout } from './price-checkout.ts'

/** What a form sends: the bag, the id of the attempt and the details. */
export interface Attempt {
  bagId: string
  attempt: string
  details: Details
}

/** The form names the bag too: a repeated form is about the bag that it was rendered for. */
export function attemptOf({ form, bagId }: LiveRequest): Attempt | undefined {
  const bag = bagIdOf(form.get('bag')) ?? bagId
  if (bag === undefined) return undefined
  return { bagId: bag, attempt: bagIdOf(form.get('attempt')) ?? randomUUID(), details: readDetails(form) }
}

/** The sign-in page, which deletes a session that has ended, and the bag that came from its account. */
export const SIGN_IN: LiveResult = { redirect: '/account?next=/checkout' }

interface Rendering {
  problems?: Problems
  customer?: Customer | undefined
  typedCode?: string
  isNew?: boolean
  status?: number
  /** The amounts, if they were read already. */
  priced?: PricedCheckout | undefined
}

/** The form as it was sent, with the amounts of this moment. */
export async function rerender(request: LiveRequest, rendering: Rendering): Promise<LiveResult> {
  const attempt = attemptOf(request)
  if (!attempt) return contents(request, <EmptyCheckout />)
  return render(request, attempt, {
    typedCode: request.form.get('code') ?? '',
    customer: await customerOf(request),
    ...rendering,
  })
}

export async function render(request: LiveRequest, attempt: Attempt, rendering: Rendering): Promise<LiveResult> {
  const { problems = NO_PROBLEMS, customer, typedCode = '', isNew = false, status = 200 } = rendering
  const priced = rendering.priced ?? (await priceCheckout(request, attempt.bagId, attempt.details))
  const hasEnded = request.token !== undefined && !customer
  // The bag may be in the account, unless it is known to be an order.
  if (!priced && hasEnded && problems.leadsToLookup !== true) return SIGN_IN
  if (!priced || priced.cart.lines.length === 0) return contents(request, <EmptyCheckout problems={problems} />, status)
  request.showCount(priced.cart.lines)
  // A missing region is reported when the order is placed, not before the shopper could type it.
  const shown = priced.faulty.filter((field) => field !== 'region' || attempt.details.region !== '')
  const faulty = Object.fromEntries(shown.map((field) => [field, fieldProblem(request, field, false)]))
  const form = (
    <CheckoutForm
      {...attempt}
      bagId={priced.cart.id}
      priced={priced}
      problems={{ ...problems, fields: { ...faulty, ...problems.fields } }}
      customer={customer}
      typedCode={typedCode}
      isNew={isNew}
    />
  )
  return contents(request, form, status)
}

/** The contents of the page; without a script the whole page. */
export function contents(request: LiveRequest, body: ComponentChildren, status = 200): LiveResult {
  return request.hasScript
    ? { fragment: body, status }
    : wholePage(request, <div id="checkout">{body}</div>, { status })
}

/** @param place the contents with their place, which scripts know as `#checkout` */
export function wholePage(
  { context }: LiveRequest,
  place: ComponentChildren,
  { status = 200, awaitsBag = false }: { status?: number; awaitsBag?: boolean } = {},
): LiveResult {
  const { t } = context.language
  const title = t('checkout.title')
  return {
    status,
    head: { title, canonical: '/checkout', awaitsBag, style: 'checkout', script: 'checkout' },
    body: (
      <section class="page">
        <h1>{title}</h1>
        {/* What went wrong while the form stays as it is. */}
        <div id="checkout-away" role="alert" tabindex={-1} />
        {place}
      </section>
    ),
  }
}

/** The form as it was sent, with what went wrong. No typed text is lost, even when the shop does not respond. */
export async function afterError(request: LiveRequest, error: unknown): Promise<LiveResult> {
  const problems = problemsOf(request, error)
  const status = (error instanceof StorefrontError ? error.status : undefined) ?? 503
  try {
    return await rerender(request, { problems, status })
  } catch (rerenderError) {
    if (!(rerenderError instanceof StorefrontError)) throw rerenderError
    // The amounts cannot be read: the page keeps what was entered for the next attempt.
    if (!request.hasScript)
      return contents(request, <CheckoutUnavailable form={request.form} notice={problems.notice} />, status)
    // A script leaves the form as it is, and shows the sentence above it.
    request.moveTo('#checkout-away')
    return { fragment: <p class="notice notice-problem">{problems.notice}</p>, status }
  }
}
