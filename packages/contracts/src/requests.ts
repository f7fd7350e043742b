import { z } from 'zod'
import { ActivityPage, ActivityQuery, NamedActor } from './activity.ts'
import { BoardEntry, BoardSettings } from './board.ts'
import { Money } from './money.ts'
import { OpaqueId } from './ids.ts'
import { CredentialKey } from './shapes/account.ts'
import { Address } from './shapes/address.ts'
import { CartLine } from './shapes/cart.ts'
import { Timestamp } from './shapes/common.ts'
import { DiscountInput } from './shapes/discount.ts'
import { NotificationSettings } from './shapes/notifications.ts'
import { Product } from './shapes/product.ts'
import { StoreAddress } from './shapes/storefront.ts'
import type { ServiceName } from './services.ts'

/** A question from one service to another over NATS, with a typed answer and a deadline. */
export interface RequestDefinition<Question = unknown, Answer = unknown> {
  name: string
  from: readonly ServiceName[]
  to: ServiceName
  question: z.ZodType<Question>
  answer: z.ZodType<Answer>
}

function defineRequest<Question, Answer>(
  definition: RequestDefinition<Question, Answer>,
): RequestDefinition<Question, Answer> {
  return definition
}

/** A request that asks for nothing longer than this; its caller has given up by then (architecture, rule 3). */
export const REQUEST_TIMEOUT_MS = 2000

/** One line that could not be reserved, in the shape of a checkout's `detail.lines` less what only the cart knows. */
export const Shortfall = z.object({
  variantId: z.string(),
  wanted: z.int(),
  available: z.int(),
  /** There are enough, but not for one buyer's unpaid checkouts, or not for all unpaid checkouts together. */
  limit: z.enum(['buyer', 'all']).optional(),
})
export type Shortfall = z.output<typeof Shortfall>

/** Units of a variant: a share of its stock in whole percent, but never less than `leastUnits`. */
const StockShare = z.object({ percent: z.int().min(1).max(100), leastUnits: z.int().positive() })
export type StockShare = z.output<typeof StockShare>

/**
 * All lines or none. The same `reservationId` again answers the same while the goods are held or sold.
 * `claim` names this very hold: whoever turns it into an order, or gives it up, must first write the claim down.
 */
export const ReserveInventory = defineRequest({
  name: 'inventory.reserve',
  from: ['orders'],
  to: 'catalog',
  question: z.object({
    reservationId: z.string().min(1).max(100),
    lines: z
      .array(z.object({ variantId: OpaqueId, quantity: z.int().positive().max(100_000) }))
      .min(1)
      .max(200),
    ttlSeconds: z.int().positive().max(86_400),
    /** For a checkout that waits for its payment: how much of a variant's stock one buyer, and all of them, may hold so. */
    unpaid: z.object({ perBuyer: StockShare, all: StockShare }).optional(),
  }),
  answer: z.discriminatedUnion('held', [
    z.object({
      held: z.literal(true),
      claim: z.string(),
      expiresAt: z.string(),
      /** For an unpaid checkout: units of each variant that one buyer may hold in all of theirs. */
      perBuyer: z.array(z.object({ variantId: z.string(), units: z.int() })).optional(),
    }),
    z.object({ held: z.literal(false), shortfalls: z.array(Shortfall) }),
  ]),
})

/** Gives up a hold that its holder has already recorded as abandoned. */
export const ReleaseInventory = defineRequest({
  name: 'inventory.release',
  from: ['orders'],
  to: 'catalog',
  question: z.object({ claim: z.string().min(1).max(120) }),
  answer: z.object({ released: z.boolean() }),
})

/**
 * What became of these holds, of goods or of uses of a discount code? Asking settles it: a claim without an order is recorded
 * as abandoned, and no order can be placed on it afterwards. That closes the race between a deadline and a slow checkout.
 */
export const SettleClaims = defineRequest({
  name: 'reservation.settle-claims',
  from: ['catalog', 'cart'],
  to: 'orders',
  question: z.object({ claims: z.array(z.string().min(1).max(120)).min(1).max(500) }),
  answer: z.object({ verdicts: z.array(z.object({ claim: z.string(), verdict: z.enum(['ordered', 'abandoned']) })) }),
})

/** Where these holds stand, asked to compare books. A hold that is not answered is not known any more. */
export const CheckReservations = defineRequest({
  name: 'reservation.check',
  from: ['orders'],
  to: 'catalog',
  question: z.object({ claims: z.array(z.string().min(1).max(120)).min(1).max(500) }),
  answer: z.object({
    reservations: z.array(
      z.object({ claim: z.string(), status: z.enum(['held', 'sold', 'released']), expiresAt: Timestamp }),
    ),
  }),
})

/** What does not add up in the books of a service, in words for whoever runs the shop. */
const BookFaults = z.object({
  /** The first hundred. */
  faults: z.array(z.object({ subject: z.string(), message: z.string() })),
  total: z.int(),
})

/** Do the movements of the stock add up to the stock, and the holds to what is reserved; is a hold long overdue? */
export const CheckLedger = defineRequest({
  name: 'ledger.check',
  from: ['orders'],
  to: 'catalog',
  question: z.object({}),
  answer: BookFaults,
})

/** Do the uses of discount codes add up to their counts, and is one held long after its deadline? */
export const CheckDiscounts = defineRequest({
  name: 'discount.check',
  from: ['orders'],
  to: 'cart',
  question: z.object({}),
  answer: BookFaults,
})

/** A page of all discounts by their codes, for export and import; with a limit of 0 only how far imports are. */
export const ListDiscounts = defineRequest({
  name: 'discount.list',
  from: ['catalog'],
  to: 'cart',
  question: z.object({
    /** The last code of the page before. */
    after: z.string().max(200).optional(),
    limit: z.int().min(0).max(200),
  }),
  answer: z.object({
    discounts: z.array(DiscountInput),
    next: z.string().optional(),
    /** The highest number of an import that took effect; 0 when none did. */
    imported: z.int().nonnegative(),
  }),
})

/** Names in one request at most, each of a category, or the slug or id of a product. */
export const MAX_CHECKED_NAMES = 5500

/** Which of these categories and products the shop does not have: a discount must not be for something that no cart can hold. */
export const CheckRestrictions = defineRequest({
  name: 'discount.check-restrictions',
  from: ['cart'],
  to: 'catalog',
  question: z.object({
    /** Slugs. */
    categories: z.array(z.string().min(1).max(200)).max(MAX_CHECKED_NAMES),
    /** Slugs or ids. */
    products: z.array(z.string().min(1).max(200)).max(MAX_CHECKED_NAMES),
  }),
  answer: z.object({
    unknown: z.array(
      z.object({
        field: z.enum(['categories', 'products']),
        name: z.string(),
        /** What was probably meant: the slug that the product has now, or a category of nearly this name. */
        suggestion: z.string().optional(),
      }),
    ),
    total: z.int().nonnegative(),
  }),
})

/** The price board from its owner, for a cart that cannot read it in Redis; its settings alone when no variant is named. */
export const ReadBoard = defineRequest({
  name: 'board.read',
  from: ['cart', 'orders'],
  to: 'catalog',
  question: z.object({ variantIds: z.array(OpaqueId).max(200) }),
  answer: z.object({ entries: z.array(BoardEntry), settings: BoardSettings }),
})

/**
 * What a cart costs, delivered to this address in this way, and under which terms it is sold. With `hold`, one use of its
 * discount code is held for the order; asking again for the same cart keeps the same use.
 */
export const QuoteCart = defineRequest({
  name: 'cart.quote',
  from: ['orders'],
  to: 'cart',
  question: z.object({
    cartId: OpaqueId,
    address: Address,
    shippingMethod: z.string().max(100),
    /** `email` and the customer count against the code's limit per customer. */
    hold: z.object({ email: z.string(), ttlSeconds: z.int().positive().max(86_400) }).optional(),
    /** The merchant places the order: whose cart it is does not matter, and no address is needed. */
    onBehalf: z.literal(true).optional(),
  }),
  answer: z.object({
    /** Of the cart that is sold: not the one asked for when that was merged into it. */
    cartId: z.string(),
    /** Guests' carts that were merged into it: what waits for one of them waits for this one. */
    mergedCartIds: z.array(z.string()).optional(),
    /** Ids of lines that went up in the lines of this cart when carts were merged: whoever buys these has bought those. */
    formerLineIds: z.array(z.string()).optional(),
    customerId: z.string().optional(),
    currency: z.string(),
    lines: z.array(CartLine),
    subtotal: Money,
    discount: Money,
    shipping: Money,
    tax: Money,
    total: Money,
    discountCode: z.object({ code: z.string(), label: z.string() }).optional(),
    /** The use of the code that is held. */
    discountClaim: z.string().optional(),
    shippingMethod: z.string(),
    terms: z.object({
      checkoutMode: z.string(),
      numberPrefix: z.string(),
      locale: z.string(),
      checkoutProvider: z.string(),
      storeName: z.string(),
      razorpayKeyId: z.string().optional(),
    }),
  }),
})
export type Quote = z.output<typeof QuoteCart.answer>

/** Gives up the use of a code whose claim its holder has already recorded as abandoned. */
export const ReleaseDiscount = defineRequest({
  name: 'discount.release',
  from: ['orders'],
  to: 'cart',
  question: z.object({ claim: z.string().min(1).max(120) }),
  answer: z.object({ released: z.boolean() }),
})

/** Was this cart bought? Asked by cart before it hands out one that was at the checkout, when it has not heard of an order. */
export const CheckCartOrdered = defineRequest({
  name: 'cart.ordered',
  from: ['cart'],
  to: 'orders',
  question: z.object({ cartId: OpaqueId }),
  answer: z.object({ ordered: z.boolean() }),
})

/** Is this session still open, or this secret key still good? Asked by the gateway when Redis cannot say. */
export const CheckSession = defineRequest({
  name: 'session.check',
  from: ['gateway'],
  to: 'identity',
  question: z.object({ sessionId: z.string().min(1).max(200) }),
  answer: z.object({ active: z.boolean() }),
})

/**
 * Whose key is this? Asked by the gateway for a secret key that it does not know, by its digest: the key itself goes no
 * further than the gateway. Whether it is still good is `session.check`, with the key's id, as for a session.
 */
export const FindApiKey = defineRequest({
  name: 'api-key.find',
  from: ['gateway'],
  to: 'identity',
  /** base64url of the SHA-256 of the key. */
  question: z.object({ digest: z.string().length(43) }),
  answer: z.object({
    key: z.object({ id: z.string(), permissions: z.array(z.string()), expiresAt: Timestamp.optional() }).optional(),
  }),
})

/** Where the link of a mail leads, with the secret that makes it work. Nothing when it was used or has run out. */
export const ReadMailLink = defineRequest({
  name: 'mail.link',
  from: ['notifier'],
  to: 'identity',
  question: z.object({ confirmationId: OpaqueId }),
  answer: z.object({ url: z.string().optional(), expiresAt: Timestamp.optional() }),
})

/**
 * The capability that opens an order for the reader of a mail about it. The same order has the same one, so that a mail that
 * is sent again is the same mail. Missing when there is no such order.
 */
export const ReadOrderLink = defineRequest({
  name: 'order.link',
  from: ['notifier'],
  to: 'orders',
  question: z.object({ orderId: OpaqueId }),
  answer: z.object({ accessToken: z.string().optional() }),
})

/** The e-mail address of an admin user. Missing when there is no such user, or none that may sign in. */
export const ReadAdminAddress = defineRequest({
  name: 'admin.address',
  from: ['notifier'],
  to: 'identity',
  question: z.object({ userId: OpaqueId }),
  answer: z.object({ email: z.string().optional() }),
})

/** Whose e-mail address an earlier one has, or cannot be read: nobody signs in with it, and no mail goes there. */
export const CheckEmailAddresses = defineRequest({
  name: 'email-address.check',
  from: ['orders'],
  to: 'identity',
  question: z.object({}),
  answer: BookFaults,
})

/**
 * Published products by id or by slug, a former slug included. An answer holds what fits into a message: what was asked
 * for and is `left` can be asked for again, and what is in neither does not exist.
 */
export const ReadProducts = defineRequest({
  name: 'product.read',
  from: ['identity'],
  to: 'catalog',
  question: z.union([
    z.object({ ids: z.array(OpaqueId).min(1).max(200) }),
    z.object({ slugs: z.array(z.string().min(1).max(200)).min(1).max(200) }),
  ]),
  answer: z.object({ products: z.array(Product), left: z.array(z.string()) }),
})

/** Sealed under SECRETS_KEY, each for the service that works with it alone (`CREDENTIAL_READERS`). */
const SealedCredentials = z.object({
  credentials: z.array(z.object({ key: CredentialKey, sealed: z.string(), updatedAt: Timestamp })),
  /** The values before these, for a day, of those that are used together with their successor, or after it was taken back. */
  replaced: z.array(z.object({ key: CredentialKey, sealed: z.string(), replacedAt: Timestamp })).exactOptional(),
})

export const ReadOrdersCredentials = defineRequest({
  name: 'credentials.for-orders',
  from: ['orders'],
  to: 'identity',
  question: z.object({}),
  answer: SealedCredentials,
})

export const ReadNotifierCredentials = defineRequest({
  name: 'credentials.for-notifier',
  from: ['notifier'],
  to: 'identity',
  question: z.object({}),
  answer: SealedCredentials,
})

/** What mails look like, who sends them and which are switched off: the storefront configuration as it is in force now. */
export const ReadNotificationSettings = defineRequest({
  name: 'settings.for-notifier',
  from: ['notifier'],
  to: 'catalog',
  question: z.object({}),
  answer: z.object({
    version: z.int(),
    storeName: z.string(),
    /** Missing where the shop has none, and in replies of the version before. */
    storeAddress: StoreAddress.optional(),
    locale: z.string(),
    currency: z.string(),
    notifications: NotificationSettings,
  }),
})

/** Who is behind these ids of admin users and secret keys, those that are gone included. Ids that were never given out are left out. */
export const ReadActorNames = defineRequest({
  name: 'actor.names',
  from: ['catalog', 'cart', 'orders', 'notifier'],
  to: 'identity',
  question: z.object({ ids: z.array(OpaqueId).min(1).max(200) }),
  answer: z.object({ actors: z.array(NamedActor.extend({ id: z.string() })) }),
})

/** A page of what admins did in a service, the latest first. */
function defineActivityRequest(to: ServiceName) {
  return defineRequest({
    name: `${to}.activity`,
    from: ['identity'],
    to,
    question: ActivityQuery,
    answer: ActivityPage,
  })
}

export const ReadCatalogActivity = defineActivityRequest('catalog')
export const ReadCartActivity = defineActivityRequest('cart')
export const ReadOrdersActivity = defineActivityRequest('orders')
export const ReadNotifierActivity = defineActivityRequest('notifier')

/**
 * Everything a service keeps about one customer, for the customer to read. A page holds what fits into a message; `next`
 * asks for the one after it.
 */
function definePersonalDataRequest(to: ServiceName) {
  return defineRequest({
    name: `${to}.personal-data`,
    from: ['identity'],
    to,
    question: z.object({ customerId: OpaqueId, after: z.string().max(200).optional() }),
    answer: z.object({
      records: z.array(z.object({ kind: z.string(), record: z.record(z.string(), z.unknown()) })),
      next: z.string().optional(),
    }),
  })
}

export const ReadOrdersPersonalData = definePersonalDataRequest('orders')
export const ReadCartPersonalData = definePersonalDataRequest('cart')
export const ReadCatalogPersonalData = definePersonalDataRequest('catalog')
export const ReadNotifierPersonalData = definePersonalDataRequest('notifier')

export const REQUESTS: readonly RequestDefinition[] = [
  ReserveInventory,
  ReleaseInventory,
  SettleClaims,
  CheckReservations,
  CheckLedger,
  CheckDiscounts,
  ListDiscounts,
  CheckRestrictions,
  ReadBoard,
  QuoteCart,
  ReleaseDiscount,
  CheckCartOrdered,
  CheckSession,
  FindApiKey,
  ReadMailLink,
  ReadOrderLink,
  ReadAdminAddress,
  CheckEmailAddresses,
  ReadProducts,
  ReadOrdersCredentials,
  ReadNotifierCredentials,
  ReadNotificationSettings,
  ReadOrdersPersonalData,
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
  ReadActorNames,
  ReadCatalogActivity,
  ReadCartActivity,
  ReadOrdersActivity,
  ReadNotifierActivity,
]
