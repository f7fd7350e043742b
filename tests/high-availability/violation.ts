export const VIOLATIONS = [
  /** The shop has acknowledged a cart that does not exist. */
  'cart lost',
  /** The shop has acknowledged or announced an order that does not exist. */
  'order lost',
  /** An order does not have the lines and the total that the buyer was shown. */
  'order changed',
  'order duplicated',
  /** An order that no buyer has requested, or whose every checkout was rejected. */
  'order from nowhere',
  /** A buyer could not read an order that was acknowledged before. */
  'order disappeared',
  /** An order or its payment is in an earlier state than was seen before. */
  'order went back',
  /** A buyer did not get units of which there were enough. */
  'rejected for no reason',
  /** More units were sold than the stock went down. */
  'units oversold',
  /** The stock went down by more units than were sold. */
  'units lost',
  'mail missing',
  'mail twice',
  'event lost',
  /** Two different events have one id, so that a receiver skips the second one. */
  'event changed',
  /** One change was published as two events, so that a receiver processes it twice. */
  'event twice',
  'payment without order or refund',
  'payment with order and refund',
  /** PostgreSQL acknowledged a row on a machine that was cut off, and does not have it after the repair. */
  'write of a fenced primary lost',
] as const
export type ViolationKind = (typeof VIOLATIONS)[number]

export interface Violation {
  kind: ViolationKind
  /** The order, cart, variant, event or payment concerned. */
  subject: string
  message: string
}
