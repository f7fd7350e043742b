import { HttpError } from '@storefront/service'
import type { Quote } from '@storefront/contracts'

/** The total of a checkout differs from the one that its buyer saw. */
export class TotalChanged extends HttpError {
  /** With the current total. */
  readonly quote: Quote

  constructor(quote: Quote) {
    super('conflict', 'The total has just changed. Nothing was charged. Please check it, and pay again.')
    this.name = 'TotalChanged'
    this.quote = quote
  }
}
