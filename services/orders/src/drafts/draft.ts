import {
  ID_PREFIXES,
  type Address,
  type BuyerDraftOrder,
  type DraftOrder,
  type DraftOrderQuote,
  type DraftOrderStatus,
  type DraftOrderSummary,
  type Money,
  type NamedActor,
} from '@storefront/contracts'

export interface DraftLine {
  /** The id of the line in the order: an order sells each line once. */
  id: string
  variantId: string
  quantity: number
}

/** What the merchant decides. */
export interface DraftContent {
  email: string
  shippingAddress: Address
  shippingMethod: string
  discountCode: string
  note: string
  lines: DraftLine[]
}

interface DraftState {
  /** Also the id of the cart of its order. */
  id: string
  status: DraftOrderStatus
  createdBy: string
  createdAt: Date
  sentAt: Date | null
  expiresAt: Date | null
  orderId: string | null
  orderNumber: string | null
}

export interface StoredDraft extends DraftState, DraftContent {
  version: number
  linkNumber: number
  /** What it cost when it was last saved or sent. */
  quote: DraftOrderQuote
}

export interface ListedDraft extends DraftState {
  email: string
  name: string
  total: Money
  items: number
  /** The creation as text: a Date would lose the microseconds. */
  key: string
}

/** Names an actor by its id. */
export type NameOf = (id: string) => NamedActor

function shownState({ id, status, createdAt, sentAt, expiresAt, orderId, orderNumber }: DraftState) {
  return {
    id,
    status,
    createdAt: createdAt.toISOString(),
    ...(sentAt && { sentAt: sentAt.toISOString() }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(orderId !== null && orderNumber !== null && { order: { id: orderId, number: orderNumber } }),
  }
}

export function shownSummary(draft: ListedDraft, nameOf: NameOf): DraftOrderSummary {
  const { createdBy, email, name, total, items } = draft
  return { ...shownState(draft), createdBy, by: nameOf(createdBy), email, name, total, items }
}

/** For the export of the buyer's data. */
export function buyersDraft(draft: StoredDraft): BuyerDraftOrder {
  const { email, shippingAddress, shippingMethod, discountCode, quote } = draft
  return { ...shownState(draft), email, shippingAddress, shippingMethod, discountCode, quote }
}

/** @param current what it costs now, and why it cannot be bought, if that was computed */
export function shownDraft(
  draft: StoredDraft,
  nameOf: NameOf,
  current: { quote?: DraftOrderQuote; problem?: DraftOrder['problem'] } = {},
): DraftOrder {
  const { createdBy, email, shippingAddress, shippingMethod, discountCode, note, lines } = draft
  return {
    ...shownState(draft),
    createdBy,
    by: nameOf(createdBy),
    email,
    shippingAddress,
    shippingMethod,
    discountCode,
    note,
    lines: lines.map(({ variantId, quantity }) => ({ variantId, quantity })),
    quote: current.quote ?? draft.quote,
    ...(current.problem && { problem: current.problem }),
  }
}

const PREFIX = `${ID_PREFIXES.draftOrder}_`

/** Whether this is the id of a draft order, and not of a cart or an order. */
export function isDraftId(id: string): boolean {
  return id.startsWith(PREFIX)
}

/** Whether the merchant may still change it. */
export function isUndecided({ status }: Pick<StoredDraft, 'status'>): boolean {
  return status === 'open' || status === 'sent'
}

/** The merchant changed or canceled a draft order while its buyer was ordering it. */
export class DraftChanged extends Error {
  constructor() {
    super('the draft order was changed')
    this.name = 'DraftChanged'
  }
}
