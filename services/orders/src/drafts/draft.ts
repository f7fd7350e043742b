import type {
  Address,
  DraftOrder,
  DraftOrderQuote,
  DraftOrderStatus,
  DraftOrderSummary,
  Money,
  NamedActor,
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

function shownState(
  { id, status, createdBy, createdAt, sentAt, expiresAt, orderId, orderNumber }: DraftState,
  nameOf: NameOf,
) {
  return {
    id,
    status,
    createdAt: createdAt.toISOString(),
    createdBy,
    by: nameOf(createdBy),
    ...(sentAt && { sentAt: sentAt.toISOString() }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(orderId !== null && orderNumber !== null && { order: { id: orderId, number: orderNumber } }),
  }
}

export function shownSummary(draft: ListedDraft, nameOf: NameOf): DraftOrderSummary {
  const { email, name, total, items } = draft
  return { ...shownState(draft, nameOf), email, name, total, items }
}

/** @param current what it costs now, and why it cannot be bought, if that was computed */
export function shownDraft(
  draft: StoredDraft,
  nameOf: NameOf,
  current: { quote?: DraftOrderQuote; problem?: DraftOrder['problem'] } = {},
): DraftOrder {
  const { email, shippingAddress, shippingMethod, discountCode, note, lines } = draft
  return {
    ...shownState(draft, nameOf),
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

/** Whether the merchant may still change it. */
export function isUndecided({ status }: Pick<StoredDraft, 'status'>): boolean {
  return status === 'open' || status === 'sent'
}
