import { HttpError } from '@storefront/service'
import type { Quote } from '@storefront/contracts'

/** The total of a checkout is not the one that its buyer has seen. */
export class TotalChanged extends HttpError {
  /** With the total of now. */
  readonly quote: Quote

  constructor(quote: Quote) {
    super('conflict', 'The total has just changed. Nothing was charged. Please check it, and pay again.')
    this.name = 'TotalChanged'
    this.quote = quote
  }
}
