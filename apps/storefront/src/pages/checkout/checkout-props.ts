import type { Customer } from '../../shop/catalog.ts'
import type { Details, Problems } from './details.ts'
import type { PricedCheckout } from './price-checkout.ts'

export interface CheckoutProps {
  bagId: string
  /** Id of this attempt to order: it stays the same however often the form is sent. */
  attempt: string
  details: Details
  priced: PricedCheckout
  problems: Problems
  customer: Customer | undefined
  /** A discount code that was typed and not applied. */
  typedCode: string
  /** Whether the form is new, and a script fills in what the shopper has entered before. */
  isNew: boolean
}

/** One request after the other: a reply must not show the form as it was before a later change, such as of the code. */
export const IN_TURN = { 'hx-sync': '#checkout:queue all' } as const

/** Renders the form with the prices for what is entered now. */
export const REPRICE = {
  'hx-post': '/checkout/price',
  'hx-trigger': 'change',
  'hx-target': '#checkout',
  'hx-swap': 'innerMorph',
  // In place of a minute: a change of the code waits for the price.
  'hx-config': 'timeout:15s',
  ...IN_TURN,
} as const

/** A button that sends the form elsewhere. */
export const sendsTo = (address: string) => ({
  formaction: address,
  'hx-post': address,
  'hx-target': '#checkout',
  'hx-swap': 'innerMorph',
  ...IN_TURN,
})
