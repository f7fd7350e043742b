import { z } from 'zod'
import { AccountMailKind } from './shapes/account.ts'
import { AlertedProduct, AlertKind, AlertMailKind } from './shapes/alert.ts'
import { Timestamp } from './shapes/common.ts'
import { DiscountInput } from './shapes/discount.ts'
import { FulfilledLine, RecordedOrder, RecordedRefund } from './shapes/order.ts'
import { ImportMode } from './shapes/transfer.ts'
import { Money } from './money.ts'
import type { ServiceName } from './services.ts'

/** A fact, published once by the service that owns it and kept on JetStream for its consumers. */
export interface EventDefinition<Name extends string = string, Data = unknown> {
  name: Name
  from: ServiceName
  consumers: readonly ServiceName[]
  data: z.ZodType<Data>
}

const events: EventDefinition[] = []
/** All events, in the order of this file. */
export const EVENTS: readonly EventDefinition[] = events

function defineEvent<const Name extends string, Data>(
  definition: EventDefinition<Name, Data>,
): EventDefinition<Name, Data> {
  events.push(definition)
  return definition
}

/** The message of an event: the event with its identity. `id` is the idempotency key for every consumer. */
export const EventEnvelope = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  at: Timestamp,
  requestId: z.string().optional(),
  data: z.unknown(),
})
export type ReceivedEvent<Data> = Omit<z.output<typeof EventEnvelope>, 'data'> & { data: Data }

/** `version` counts a product's changes: a consumer ignores an event with an older version than its own. */
export const ProductUpdated = defineEvent({
  name: 'product.updated',
  from: 'catalog',
  consumers: ['notifier'],
  data: z.object({
    productId: z.string(),
    slug: z.string(),
    version: z.int(),
    /** The slug is one that the product had until now, and its cached page is out of date. */
    former: z.literal(true).optional(),
  }),
})

export const ProductDeleted = defineEvent({
  name: 'product.deleted',
  from: 'catalog',
  consumers: ['notifier'],
  data: z.object({ productId: z.string(), slug: z.string(), version: z.int() }),
})

export const InventoryUpdated = defineEvent({
  name: 'inventory.updated',
  from: 'catalog',
  consumers: ['notifier'],
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
  consumers: ['notifier'],
  data: z.object({ slug: z.string() }),
})

export const SettingsUpdated = defineEvent({
  name: 'settings.updated',
  from: 'catalog',
  consumers: ['notifier'],
  data: z.object({ version: z.int() }),
})

/** Maximum number of discounts in one part of an import; a part is limited in bytes too. */
export const MAX_IMPORTED_DISCOUNTS = 200

/**
 * A part of the discounts of an import, which take effect together when all parts have arrived. Imports are numbered as
 * they were committed: of two that write the same code the later one wins, whichever arrives first.
 */
export const DiscountsImported = defineEvent({
  name: 'discounts.imported',
  from: 'catalog',
  consumers: ['cart'],
  data: z.object({
    importId: z.string(),
    number: z.int().positive(),
    mode: ImportMode,
    /** From 1. */
    part: z.int().positive(),
    parts: z.int().positive(),
    /**
     * Id of the admin user or secret key that imports, for the audit. Missing in events of versions before this field.
     */
    actor: z.string().optional(),
    discounts: z.array(DiscountInput).max(MAX_IMPORTED_DISCOUNTS),
  }),
})

/**
 * Present when the requester of a mail may not be its recipient: limits of mails apply then (docs/decisions/0064).
 * `senders` are digests of the browser, the account and the network of the request, as `clientKeysOf` makes them.
 */
const Unproven = z.object({ senders: z.array(z.string().max(100)).max(10) })
export type Unproven = z.output<typeof Unproven>

/** Carries the whole order, so that consumers need not request its state at that time. */
export const OrderPlaced = defineEvent({
  name: 'order.placed',
  from: 'orders',
  consumers: ['catalog', 'cart', 'orders', 'notifier'],
  data: z.object({
    order: RecordedOrder,
    cartId: z.string(),
    /** Every id that may refer to that cart, including those of carts that were merged into it. */
    cartIds: z.array(z.string()).optional(),
    /**
     * The ids of the lines that were ordered, and of lines that were merged into them. Without it: only those in
     * `order`.
     */
    lineIds: z.array(z.string()).optional(),
    customerId: z.string().optional(),
    /** Missing when the payment arrived for goods that were sold out: nothing is held for this order. */
    reservation: z.object({ id: z.string(), claim: z.string() }).optional(),
    /** The discount redemption of this order. */
    discountClaim: z.string().optional(),
    locale: z.string(),
    unproven: Unproven.optional(),
  }),
})

/**
 * A later event of an order. It carries the order as its buyer sees it from now on, for the mail about it. Events of
 * earlier versions, which may still be on the stream, carry none, and cause no mail.
 */
const orderEventData = {
  orderId: z.string(),
  number: z.string(),
  order: RecordedOrder.optional(),
  customerId: z.string().optional(),
  locale: z.string().optional(),
}

export const OrderPaid = defineEvent({
  name: 'order.paid',
  from: 'orders',
  consumers: ['catalog', 'notifier'],
  data: z.object(orderEventData),
})

export const OrderFulfilled = defineEvent({
  name: 'order.fulfilled',
  from: 'orders',
  consumers: ['notifier'],
  data: z.object(orderEventData),
})

/**
 * A part of an order was shipped, and more is to come. It is published in place of `order.fulfilled`, which follows
 * with the last part. The order has the tracking of this part.
 */
export const ParcelSent = defineEvent({
  name: 'parcel.sent',
  from: 'orders',
  consumers: ['notifier'],
  data: z.object({ ...orderEventData, parcel: z.object({ lines: z.array(FulfilledLine) }) }),
})

/**
 * The tracking of a shipped order changed after the mail to its buyer: a carrier, number or link was corrected or
 * added.
 */
export const TrackingUpdated = defineEvent({
  name: 'tracking.updated',
  from: 'orders',
  consumers: ['notifier'],
  data: z.object(orderEventData),
})

/** An order will not be delivered: its discount redemption is released. Its goods are returned by `order.restocked`. */
export const OrderCancelled = defineEvent({
  name: 'order.cancelled',
  from: 'orders',
  consumers: ['cart', 'notifier'],
  data: z.object({ ...orderEventData, cartId: z.string(), discountClaim: z.string().optional() }),
})

/** A refund succeeded. */
export const OrderRefunded = defineEvent({
  name: 'order.refunded',
  from: 'orders',
  consumers: ['notifier'],
  data: z.object({ ...orderEventData, refund: RecordedRefund }),
})

/**
 * Goods of an order are for sale again: once for the remaining goods of an order that was canceled or fully refunded,
 * and once for each refund of units that returned any. Each names what it returns, and may be consumed before
 * `order.placed`.
 */
export const OrderRestocked = defineEvent({
  name: 'order.restocked',
  from: 'orders',
  consumers: ['catalog'],
  data: z.object({
    orderId: z.string(),
    claim: z.string(),
    placedAt: Timestamp,
    lines: z.array(z.object({ variantId: z.string(), quantity: z.int().positive() })),
  }),
})

/**
 * A product was put on a wishlist. The entry's id is new for every save and says nothing about the customer; a removal
 * carries the same one, so that the two may arrive in any order.
 */
export const WishlistSaved = defineEvent({
  name: 'wishlist.saved',
  from: 'identity',
  consumers: ['catalog'],
  data: z.object({ entryId: z.string(), productId: z.string() }),
})

export const WishlistRemoved = defineEvent({
  name: 'wishlist.removed',
  from: 'identity',
  consumers: ['catalog'],
  data: z.object({ entryId: z.string(), productId: z.string() }),
})

/**
 * A mail about an account is to be sent. It carries no secret: the sender requests the link of the confirmation at that
 * moment, and sends nothing when the link is no longer valid.
 */
export const MailRequested = defineEvent({
  name: 'mail.requested',
  from: 'identity',
  consumers: ['notifier'],
  data: z.object({
    kind: AccountMailKind.exclude(['paymentLink']),
    to: z.string(),
    /** The customer of the mail, so that its record is deleted with the account. */
    customerId: z.string().optional(),
    /** For a mail that contains a link. */
    confirmationId: z.string().optional(),
    /** The first name, for the greeting. */
    name: z.string().optional(),
    unproven: Unproven.optional(),
  }),
})

/**
 * A buyer is to get the payment link of a draft order. It carries no secret: the sender requests the link at that
 * moment, and sends nothing when it is no longer valid.
 */
export const PaymentLinkRequested = defineEvent({
  name: 'payment-link.requested',
  from: 'orders',
  consumers: ['notifier'],
  data: z.object({
    draftId: z.string(),
    /** The link that is meant: a later one has replaced it. */
    linkNumber: z.int().positive(),
    to: z.string(),
    /** The name of the recipient, for the greeting. */
    name: z.string().optional(),
  }),
})

/** The data of a guest was deleted. What other services keep under the address must be deleted as well. */
export const BuyerErased = defineEvent({
  name: 'buyer.erased',
  from: 'orders',
  consumers: ['catalog', 'notifier'],
  data: z.object({
    /** In canonical form. */
    email: z.string(),
    /**
     * The customer who has the guest's orders from now on, so that later events of them cause no mail. Missing in
     * events of versions before this field.
     */
    customerId: z.string().optional(),
  }),
})

/** The maximum number of mails in one event. */
export const MAX_ALERT_MAILS = 200

/**
 * Shoppers are to get a mail about a product: what they wait for has happened, or their alert has to be confirmed. It
 * carries no secret: the sender requests the links of an alert at that moment, and sends nothing when it has ended.
 */
export const AlertMailsRequested = defineEvent({
  name: 'alert-mails.requested',
  from: 'catalog',
  consumers: ['notifier'],
  data: z.object({
    kind: AlertMailKind,
    about: AlertKind,
    /** As it was when the mails were requested. */
    product: AlertedProduct,
    mails: z
      .array(
        z.object({
          alertId: z.string(),
          to: z.string(),
          /** The price before it fell. */
          formerPrice: Money.optional(),
          unproven: Unproven.optional(),
        }),
      )
      .min(1)
      .max(MAX_ALERT_MAILS),
  }),
})

/**
 * This customer has verified this address: guest orders with it belong to the customer. An account has one address at a
 * time, so this event also ends the verification of any earlier address.
 */
export const CustomerVerified = defineEvent({
  name: 'customer.verified',
  from: 'identity',
  consumers: ['orders'],
  data: z.object({ customerId: z.string(), email: z.string() }),
})

/**
 * The last verified address of this customer no longer counts as verified: the account has to verify it again before it
 * shows guest orders.
 */
export const CustomerUnverified = defineEvent({
  name: 'customer.unverified',
  from: 'identity',
  consumers: ['orders'],
  data: z.object({ customerId: z.string() }),
})

/**
 * The owner of the account's address has reclaimed the account, which another person may have registered: the data in
 * it before does not belong to the owner.
 */
export const CustomerReclaimed = defineEvent({
  name: 'customer.reclaimed',
  from: 'identity',
  consumers: ['cart'],
  data: z.object({ customerId: z.string() }),
})

/** An account was deleted, and the data about the person must be deleted as well. */
export const CustomerDeleted = defineEvent({
  name: 'customer.deleted',
  from: 'identity',
  consumers: ['catalog', 'cart', 'orders', 'notifier'],
  data: z.object({
    customerId: z.string(),
    /** The verified address, for what is kept under it. Missing when none was verified. */
    email: z.string().optional(),
  }),
})
