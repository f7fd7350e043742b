import { HOUR_MS, DAY_MS } from '@storefront/service'
import type { AlertKind } from '@storefront/contracts'
import type { Row } from '../database.ts'

/** How long the link to confirm an alert works. */
export const CONFIRMABLE_MS = 7 * DAY_MS
/** An alert about stock that has ended is kept this long, for the links in its mail. */
export const DONE_KEPT_MS = 30 * DAY_MS
/** The longest time that a shopper is assumed to wait for a price. */
export const ALERT_KEPT_MS = 365 * DAY_MS
/** The pause between mails until an alert is confirmed: anyone can enter any address. */
const BETWEEN_MAILS_MS = HOUR_MS
const MAX_CONFIRMATION_MAILS = 3

/** The limits per mailbox for all alerts and for unconfirmed ones, each of which has caused a mail. */
const MAX_OPEN = 50
const MAX_UNCONFIRMED = 10

export type AlertPurpose = 'alertConfirm' | 'alertEnd'

/** What a shopper waits for. */
export interface AlertSubject {
  kind: AlertKind
  productId: string
  /** Null in an alert about the price of the product. */
  variantId: string | null
}

export type KnownAlert = Pick<Row<'alerts'>, 'id' | 'confirmed_at' | 'confirmation_sent_at' | 'confirmations'>

/** The alerts of a mailbox that have not ended. */
export interface AlertCounts {
  open: number
  unconfirmed: number
}

/**
 * The effect of a request for an alert, which the response does not reveal.
 * @param known the same alert of the same address, if it exists
 */
export function decideRequest(
  known: KnownAlert | undefined,
  counts: AlertCounts,
  now: Date,
): 'insert' | 'send again' | 'nothing' {
  if (known === undefined) {
    return counts.open < MAX_OPEN && counts.unconfirmed < MAX_UNCONFIRMED ? 'insert' : 'nothing'
  }
  const isDue =
    known.confirmed_at === null &&
    known.confirmations < MAX_CONFIRMATION_MAILS &&
    known.confirmation_sent_at.getTime() <= now.getTime() - BETWEEN_MAILS_MS
  return isDue ? 'send again' : 'nothing'
}
