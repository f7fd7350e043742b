import { z } from 'zod'
import { AccountMailKind } from './shapes/account.ts'
import { Timestamp } from './shapes/common.ts'
import { DiscountInput } from './shapes/discount.ts'
import { RecordedOrder, RecordedRefund } from './shapes/order.ts'
import { ImportMode } from './shapes/transfer.ts'
import type { ServiceName } from './services.ts'

/** A fact, published once by the service that owns it and kept on JetStream for those who hear it. */
export interface EventDefinition<Name extends string = string, Data = unknown> {
  name: Name
  from: ServiceName
  heardBy: readonly ServiceName[]
  data: z.ZodType<Data>
}

function defineEvent<const Name extends string, Data>(
  definition: EventDefinition<Name, Data>,
): EventDefinition<Name, Data> {
  return definition
}

/** What travels: the event with its identity. `id` is the key of idempotence for every consumer. */
export const EventEnvelope = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  at: Timestamp,
  requestId: z.string().optional(),
  data: z.unknown(),
})
export interface ReceivedEvent<Data> {
  id: string
  name: string
  at: string
  requestId?: string | undefined
  data: Data
}

/** `version` counts a product's changes: a consumer drops what is older than what it has. */
export const ProductUpdated = defineEvent({
  name: 'product.updated',
  from: 'catalog',
  heardBy: ['notifier'],
  data: z.object({
    productId: z.string(),
    slug: z.string(),
    version: z.int(),
    /** The address is one that the product had until now, and its page is out of date. */
    former: z.literal(true).optional(),
  }),
})

export const ProductDeleted = defineEvent({
  name: 'product.deleted',
  from: 'catalog',
  heardBy: ['notifier'],
  data: z.object({ productId: z.string(), slug: z.string(), version: z.int() }),
})

export const InventoryUpdated = defineEvent({
  name: 'inventory.updated',
  from: 'catalog',
  heardBy: ['notifier'],
  data: z.object({
    slug: z.string(),
    variantId: z.string(),
    inventory: z.int().nonnegative(),
    available: z.boolean(),
    version: z.int(),
  }),
})

export const CategoryUpdated = defineEvent({
  name: 'category.updated',
  from: 'catalog',
  heardBy: ['notifier'],
  data: z.object({ slug: z.string() }),
})

export const SettingsUpdated = defineEvent({
  name: 'settings.updated',
  from: 'catalog',
  heardBy: ['notifier'],
  data: z.object({ version: z.int() }),
})

/** Discounts in one part of an import at most; they also share a bound of bytes. */
export const MAX_IMPORTED_DISCOUNTS = 200

/**
 * A part of the discounts of an import, which take effect together when all parts are there. Imports are numbered as they were
 * committed: of a code that two of them write the later one is right, whichever is heard first.
 */
export const DiscountsImported = defineEvent({
  name: 'discounts.imported',
  from: 'catalog',
  heardBy: ['cart'],
  data: z.object({
    importId: z.string(),
    number: z.int().positive(),
    mode: ImportMode,
    /** From 1. */
    part: z.int().positive(),
    parts: z.int().positive(),
    /** Id of the admin user or secret key that imports, for the audit. Missing in events of versions before it was said. */
    actor: z.string().optional(),
    discounts: z.array(DiscountInput).max(MAX_IMPORTED_DISCOUNTS),
  }),
})

/**
 * Present when nothing proves that who caused a mail also reads it: limits of mails apply then (docs/decisions/0064). `senders` are
 * digests of the browser, the account and the network that caused it, as `clientKeysOf` makes them.
 */
const Unproven = z.object({ senders: z.array(z.string().max(100)).max(10) })
export type Unproven = z.output<typeof Unproven>

/** Carries the order whole, so that nobody has to ask for what was true when it was placed. */
export const OrderPlaced = defineEvent({
  name: 'order.placed',
  from: 'orders',
  heardBy: ['catalog', 'cart', 'orders', 'notifier'],
  data: z.object({
    order: RecordedOrder,
    cartId: z.string(),
    /** Every id by which that cart may be asked for, those of carts that were merged into it included. */
    cartIds: z.array(z.string()).optional(),
    /** The ids of the lines that were ordered, and of lines that went up in them. Without it: those in `order` alone. */
    lineIds: z.array(z.string()).optional(),
    customerId: z.string().optional(),
    /** Missing when the money came for goods that were gone: nothing is held for such an order. */
    reservation: z.object({ id: z.string(), claim: z.string() }).optional(),
    /** The use of a discount code that this order stands on. */
    discountClaim: z.string().optional(),
    locale: z.string(),
    unproven: Unproven.optional(),
  }),
})

/**
 * News of an order that exists. It carries the order as its buyer sees it from now on, for the mail about it. Events from
 * before they did, which may still be on the stream, carry none, and are nobody's mail.
 */
const orderNews = {
  orderId: z.string(),
  number: z.string(),
  order: RecordedOrder.optional(),
  customerId: z.string().optional(),
  locale: z.string().optional(),
}

export const OrderPaid = defineEvent({
  name: 'order.paid',
  from: 'orders',
  heardBy: ['catalog', 'notifier'],
  data: z.object(orderNews),
})

export const OrderFulfilled = defineEvent({
  name: 'order.fulfilled',
  from: 'orders',
  heardBy: ['notifier'],
  data: z.object(orderNews),
})

/**
 * An order that was sent already has other tracking than the mail to its buyer: a carrier, number or link was corrected, or came
 * only now.
 */
export const TrackingUpdated = defineEvent({
  name: 'tracking.updated',
  from: 'orders',
  heardBy: ['notifier'],
  data: z.object(orderNews),
})

/** An order will not be delivered: the use of its discount code is free again. Its goods are told of by `order.restocked`. */
export const OrderCancelled = defineEvent({
  name: 'order.cancelled',
  from: 'orders',
  heardBy: ['cart', 'notifier'],
  data: z.object({ ...orderNews, cartId: z.string(), discountClaim: z.string().optional() }),
})

/** Money went back to the buyer for sure. */
export const OrderRefunded = defineEvent({
  name: 'order.refunded',
  from: 'orders',
  heardBy: ['notifier'],
  data: z.object({ ...orderNews, refund: RecordedRefund }),
})

/**
 * The goods of an order are for sale again, because it was cancelled or sent back. Said once an order, and perhaps heard
 * before its `order.placed`.
 */
export const OrderRestocked = defineEvent({
  name: 'order.restocked',
  from: 'orders',
  heardBy: ['catalog'],
  data: z.object({
    orderId: z.string(),
    claim: z.string(),
    placedAt: Timestamp,
    lines: z.array(z.object({ variantId: z.string(), quantity: z.int().positive() })),
  }),
})

/**
 * A product was put on a wishlist. The entry's id is new for every saving and says nothing about the customer; a removal
 * carries the same one, so that the two may come in any order.
 */
export const WishlistSaved = defineEvent({
  name: 'wishlist.saved',
  from: 'identity',
  heardBy: ['catalog'],
  data: z.object({ entryId: z.string(), productId: z.string() }),
})

export const WishlistRemoved = defineEvent({
  name: 'wishlist.removed',
  from: 'identity',
  heardBy: ['catalog'],
  data: z.object({ entryId: z.string(), productId: z.string() }),
})

/**
 * A mail about an account is to be sent. It carries no secret: whoever sends it asks for the link of the confirmation at
 * that moment, and sends nothing when the link leads nowhere any more.
 */
export const MailRequested = defineEvent({
  name: 'mail.requested',
  from: 'identity',
  heardBy: ['notifier'],
  data: z.object({
    kind: AccountMailKind,
    to: z.string(),
    /** Whose mail it is, so that it is forgotten with the account. */
    customerId: z.string().optional(),
    /** For a mail that is all about a link. */
    confirmationId: z.string().optional(),
    /** The first name, to be greeted with. */
    name: z.string().optional(),
    unproven: Unproven.optional(),
  }),
})

/**
 * This customer can read mails to this address: guest orders with it are the customer's. An account has one address at a
 * time, so this is also the news that the customer has left whatever address was verified before.
 */
export const CustomerVerified = defineEvent({
  name: 'customer.verified',
  from: 'identity',
  heardBy: ['orders'],
  data: z.object({ customerId: z.string(), email: z.string() }),
})

/**
 * The proof of the address that this customer had verified last does not count any more: the account has to verify it anew
 * before it is shown guest orders.
 */
export const CustomerUnverified = defineEvent({
  name: 'customer.unverified',
  from: 'identity',
  heardBy: ['orders'],
  data: z.object({ customerId: z.string() }),
})

/**
 * The person who reads the mails of an account's address has taken the account over, which somebody else may have registered: what
 * was put into it before is not theirs.
 */
export const CustomerReclaimed = defineEvent({
  name: 'customer.reclaimed',
  from: 'identity',
  heardBy: ['cart'],
  data: z.object({ customerId: z.string() }),
})

/** An account is gone, and what was kept about the person has to go as well. */
export const CustomerDeleted = defineEvent({
  name: 'customer.deleted',
  from: 'identity',
  heardBy: ['catalog', 'cart', 'orders', 'notifier'],
  data: z.object({ customerId: z.string() }),
})

export const EVENTS: readonly EventDefinition[] = [
  ProductUpdated,
  ProductDeleted,
  InventoryUpdated,
  CategoryUpdated,
  SettingsUpdated,
  DiscountsImported,
  OrderPlaced,
  OrderPaid,
  OrderFulfilled,
  TrackingUpdated,
  OrderCancelled,
  OrderRefunded,
  OrderRestocked,
  WishlistSaved,
  WishlistRemoved,
  MailRequested,
  CustomerVerified,
  CustomerUnverified,
  CustomerReclaimed,
  CustomerDeleted,
]
