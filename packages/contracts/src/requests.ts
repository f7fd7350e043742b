import { z } from 'zod'
import { ActivityPage, ActivityQuery, NamedActor } from './activity.ts'
import { TaxTerms } from './commerce-terms.ts'
import { PriceEntry, PriceSettings } from './price-projection.ts'
import { Money } from './money.ts'
import { OpaqueId } from './ids.ts'
import { CredentialKey } from './shapes/account.ts'
import { AlertRecord } from './shapes/alert.ts'
import { Address } from './shapes/address.ts'
import { CartLine, MAX_CART_LINES, MAX_LINE_QUANTITY } from './shapes/cart.ts'
import { Timestamp } from './shapes/common.ts'
import { DiscountInput } from './shapes/discount.ts'
import { NotificationSettings } from './shapes/notifications.ts'
import { Product } from './shapes/product.ts'
import { StoreAddress } from './shapes/store-address.ts'
import { EVENTS } from './events.ts'
import { SERVICE_NAMES, type ServiceName } from './services.ts'

/** A request from one service to another over NATS, with a typed reply and a deadline. */
export interface RequestDefinition<RequestBody = unknown, ReplyBody = unknown> {
  name: string
  /** Requests with this name get replies too: replicas of the previous version still send it. */
  formerName?: string
  from: readonly ServiceName[]
  to: ServiceName
  request: z.ZodType<RequestBody>
  reply: z.ZodType<ReplyBody>
}

const requests: RequestDefinition[] = []
/** All requests, in the order of this file. */
export const REQUESTS: readonly RequestDefinition[] = requests

function defineRequest<RequestBody, ReplyBody>(
  definition: RequestDefinition<RequestBody, ReplyBody>,
): RequestDefinition<RequestBody, ReplyBody> {
  requests.push(definition)
  return definition
}

/** The longest timeout of requests made within a request: its caller has given up by then. */
export const REQUEST_TIMEOUT_MS = 2000

/**
 * One line that could not be reserved, in the shape of a checkout's `detail.lines` without the fields that only the
 * cart knows.
 */
export const Shortfall = z.object({
  variantId: z.string(),
  wanted: z.int(),
  available: z.int(),
  /** Enough is in stock, but not for the unpaid checkouts of one buyer, or for all unpaid checkouts together. */
  limit: z.enum(['buyer', 'all']).optional(),
})
export type Shortfall = z.output<typeof Shortfall>

/** Units of a variant: a share of its stock in whole percent, but never less than `leastUnits`. */
const StockShare = z.object({ percent: z.int().min(1).max(100), leastUnits: z.int().positive() })
export type StockShare = z.output<typeof StockShare>

/**
 * Reserves all lines or none. A repeated `reservationId` gets the same reply while the goods are held or sold. `claim`
 * identifies this hold: a service that turns it into an order, or gives it up, must first record the claim.
 */
export const ReserveInventory = defineRequest({
  name: 'inventory.reserve',
  from: ['orders'],
  to: 'catalog',
  request: z.object({
    reservationId: z.string().min(1).max(100),
    lines: z
      .array(z.object({ variantId: OpaqueId, quantity: z.int().positive().max(100_000) }))
      .min(1)
      .max(200),
    ttlSeconds: z.int().positive().max(86_400),
    /**
     * For a checkout that waits for its payment: how much of a variant's stock one buyer, and all of them, may hold
     * this way.
     */
    unpaid: z.object({ perBuyer: StockShare, all: StockShare }).optional(),
  }),
  reply: z.discriminatedUnion('held', [
    z.object({
      held: z.literal(true),
      claim: z.string(),
      expiresAt: z.string(),
      /** For an unpaid checkout: units of each variant that one buyer may hold in all of their unpaid checkouts. */
      perBuyer: z.array(z.object({ variantId: z.string(), units: z.int() })).optional(),
    }),
    z.object({ held: z.literal(false), shortfalls: z.array(Shortfall) }),
  ]),
})

/** Releases a hold that its holder has already recorded as abandoned. */
export const ReleaseInventory = defineRequest({
  name: 'inventory.release',
  from: ['orders'],
  to: 'catalog',
  request: z.object({ claim: z.string().min(1).max(120) }),
  reply: z.object({ released: z.boolean() }),
})

/**
 * Reports whether these holds, of goods or of discount redemptions, became orders. The request settles it: a claim
 * without an order is recorded as abandoned, and no order can be placed on it afterwards. That closes the race between
 * a deadline and a slow checkout.
 */
export const SettleClaims = defineRequest({
  name: 'reservation.settle-claims',
  from: ['catalog', 'cart'],
  to: 'orders',
  request: z.object({ claims: z.array(z.string().min(1).max(120)).min(1).max(500) }),
  reply: z.object({ verdicts: z.array(z.object({ claim: z.string(), verdict: z.enum(['ordered', 'abandoned']) })) }),
})

/** The status of these holds, for the reconciliation. A hold that is missing in the reply no longer exists. */
export const CheckReservations = defineRequest({
  name: 'reservation.check',
  from: ['orders'],
  to: 'catalog',
  request: z.object({ claims: z.array(z.string().min(1).max(120)).min(1).max(500) }),
  reply: z.object({
    reservations: z.array(
      z.object({ claim: z.string(), status: z.enum(['held', 'sold', 'released']), expiresAt: Timestamp }),
    ),
  }),
})

/** Discrepancies in the ledgers of a service, described for the operator. */
const LedgerFaults = z.object({
  /** The first hundred. */
  faults: z.array(z.object({ subject: z.string(), message: z.string() })),
  total: z.int(),
})

/**
 * Checks that the movements of the stock add up to the stock, and the holds to the reserved units, and that no hold is
 * long overdue.
 */
export const CheckLedger = defineRequest({
  name: 'ledger.check',
  from: ['orders'],
  to: 'catalog',
  request: z.object({}),
  reply: LedgerFaults,
})

/** Checks that discount redemptions add up to their counts, and that none is held long after its deadline. */
export const CheckDiscounts = defineRequest({
  name: 'discount.check',
  from: ['orders'],
  to: 'cart',
  request: z.object({}),
  reply: LedgerFaults,
})

/** A page of all discounts by their codes, for export and import; with a limit of 0 only the state of imports. */
export const ListDiscounts = defineRequest({
  name: 'discount.list',
  from: ['catalog'],
  to: 'cart',
  request: z.object({
    /** The last code of the previous page. */
    after: z.string().max(200).optional(),
    limit: z.int().min(0).max(200),
  }),
  reply: z.object({
    discounts: z.array(DiscountInput),
    next: z.string().optional(),
    /** The highest number of an import that took effect; 0 when none did. */
    imported: z.int().nonnegative(),
  }),
})

/** Maximum number of names in one request, each of a category, or the slug or id of a product. */
const MAX_CHECKED_NAMES = 5500

/**
 * Which of these categories and products the shop does not have: a discount must not apply to something that no cart
 * can hold.
 */
export const CheckRestrictions = defineRequest({
  name: 'discount.check-restrictions',
  from: ['cart'],
  to: 'catalog',
  request: z.object({
    /** Slugs. */
    categories: z.array(z.string().min(1).max(200)).max(MAX_CHECKED_NAMES),
    /** Slugs or ids. */
    products: z.array(z.string().min(1).max(200)).max(MAX_CHECKED_NAMES),
  }),
  reply: z.object({
    unknown: z.array(
      z.object({
        field: z.enum(['categories', 'products']),
        name: z.string(),
        /** The name that was probably meant: the current slug of the product, or a category with a similar name. */
        suggestion: z.string().optional(),
      }),
    ),
    total: z.int().nonnegative(),
  }),
})

/**
 * The price projection from its owner, for a cart that cannot read it in Redis; only its settings when no variant is
 * named.
 */
export const ReadPrices = defineRequest({
  name: 'price-projection.read',
  formerName: 'board.read',
  from: ['cart', 'orders'],
  to: 'catalog',
  request: z.object({ variantIds: z.array(OpaqueId).max(200) }),
  reply: z.object({ entries: z.array(PriceEntry), settings: PriceSettings }),
})

/**
 * The price of a cart, delivered to this address by this method, and its terms of sale. With `hold`, one redemption of
 * its discount code is held for the order; a repeated request for the same cart keeps the same redemption.
 */
export const QuoteCart = defineRequest({
  name: 'cart.quote',
  from: ['orders'],
  to: 'cart',
  request: z.object({
    cartId: OpaqueId,
    address: Address,
    shippingMethod: z.string().max(100),
    /** Of the buyer: counts against the code's limit per customer where nothing is held. */
    email: z.string().optional(),
    /** `email` and the customer count against the code's limit per customer. */
    hold: z.object({ email: z.string(), ttlSeconds: z.int().positive().max(86_400) }).optional(),
    /** The merchant places the order: the owner of the cart does not matter, and no address is needed. */
    onBehalf: z.literal(true).optional(),
    /** The money was taken: what the cart was sold with stays, even if it could not be sold now. */
    paid: z.literal(true).optional(),
    /** The goods of a draft order, which has no cart: `cartId` is the id of the draft. */
    goods: z
      .object({
        lines: z
          .array(z.object({ id: OpaqueId, variantId: OpaqueId, quantity: z.int().positive().max(MAX_LINE_QUANTITY) }))
          .max(MAX_CART_LINES),
        discountCode: z.string().min(1).max(100).optional(),
      })
      .optional(),
  }),
  reply: z.object({
    /** Id of the cart that is sold: not the requested one when that was merged into it. */
    cartId: z.string(),
    /** Guest carts that were merged into it: a payment that waits for one of them waits for this one. */
    mergedCartIds: z.array(z.string()).optional(),
    /** Ids of lines that were merged into the lines of this cart: an order of these lines includes those. */
    formerLineIds: z.array(z.string()).optional(),
    customerId: z.string().optional(),
    currency: z.string(),
    lines: z.array(CartLine),
    subtotal: Money,
    discount: Money,
    shipping: Money,
    tax: Money,
    /** Missing in a shop without taxes, and in replies of the previous version. */
    taxTerms: TaxTerms.optional(),
    total: Money,
    discountCode: z.object({ code: z.string(), label: z.string() }).optional(),
    /** The claim on the held redemption of the code. */
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
export type Quote = z.output<typeof QuoteCart.reply>

/** Releases the discount redemption whose claim its holder has already recorded as abandoned. */
export const ReleaseDiscount = defineRequest({
  name: 'discount.release',
  from: ['orders'],
  to: 'cart',
  request: z.object({ claim: z.string().min(1).max(120) }),
  reply: z.object({ released: z.boolean() }),
})

/** Whether this cart was bought. Cart requests it before it returns one that was checked out and has no order yet. */
export const CheckCartOrdered = defineRequest({
  name: 'cart.ordered',
  from: ['cart'],
  to: 'orders',
  request: z.object({ cartId: OpaqueId }),
  reply: z.object({ ordered: z.boolean() }),
})

/** Whether a session is still open, or a secret key still valid. The gateway requests it when Redis does not know. */
export const CheckSession = defineRequest({
  name: 'session.check',
  from: ['gateway'],
  to: 'identity',
  request: z.object({ sessionId: z.string().min(1).max(200) }),
  reply: z.object({ active: z.boolean() }),
})

/**
 * The id and permissions of a secret key that the gateway does not know, by its digest: the key itself is
 * not passed on. Whether the key is still valid is the reply of `session.check`, with its id, as for a session.
 */
export const FindApiKey = defineRequest({
  name: 'api-key.find',
  from: ['gateway'],
  to: 'identity',
  /** base64url of the SHA-256 of the key. */
  request: z.object({ digest: z.string().length(43) }),
  reply: z.object({
    key: z.object({ id: z.string(), permissions: z.array(z.string()), expiresAt: Timestamp.optional() }).optional(),
  }),
})

/** The target of the link in a mail, with its secret. Missing when it was used or has expired. */
export const ReadMailLink = defineRequest({
  name: 'mail.link',
  from: ['notifier'],
  to: 'identity',
  request: z.object({ confirmationId: OpaqueId }),
  reply: z.object({ url: z.string().optional(), expiresAt: Timestamp.optional() }),
})

/**
 * The capability that gives the recipient of a mail access to an order. It is the same for each request, so that a mail
 * that is sent again is the same mail. Missing when the order does not exist.
 */
export const ReadOrderLink = defineRequest({
  name: 'order.link',
  from: ['notifier'],
  to: 'orders',
  request: z.object({ orderId: OpaqueId }),
  reply: z.object({ accessToken: z.string().optional() }),
})

/**
 * The payment link of a draft order, as it was made last. Missing when the draft was ordered or cancelled, or the link
 * was replaced or has expired.
 */
export const ReadPaymentLink = defineRequest({
  name: 'payment.link',
  from: ['notifier'],
  to: 'orders',
  request: z.object({ draftId: OpaqueId, linkNumber: z.int().positive() }),
  reply: z.object({ url: z.string().optional(), expiresAt: Timestamp.optional() }),
})

/**
 * The tokens in the links of a mail about an alert. The one to confirm with is missing when that is done or too late,
 * the other one when the alert has ended or its product is not published.
 */
export const ReadAlertLinks = defineRequest({
  name: 'alert.links',
  from: ['notifier'],
  to: 'catalog',
  request: z.object({ alertId: OpaqueId }),
  reply: z.object({
    unsubscribeToken: z.string().optional(),
    confirmToken: z.string().optional(),
    confirmBefore: Timestamp.optional(),
  }),
})

/** More than an address can wait for, with what has ended lately. */
export const MAX_EXPORTED_ALERTS = 200

/** The alerts of an address, the oldest first, for the data of a guest. */
export const ReadAlertsOfAddress = defineRequest({
  name: 'alert.of-address',
  from: ['orders'],
  to: 'catalog',
  /** In canonical form. */
  request: z.object({ email: z.string().min(1).max(320) }),
  reply: z.object({ alerts: z.array(AlertRecord) }),
})

/** The email address of an admin user. Missing when the user does not exist or may not sign in. */
export const ReadAdminAddress = defineRequest({
  name: 'admin.address',
  from: ['notifier'],
  to: 'identity',
  request: z.object({ userId: OpaqueId }),
  reply: z.object({ email: z.string().optional() }),
})

/** Users whose email address belongs to an earlier user, or is not valid: they cannot sign in, and get no mail. */
export const CheckEmailAddresses = defineRequest({
  name: 'email-address.check',
  from: ['orders'],
  to: 'identity',
  request: z.object({}),
  reply: LedgerFaults,
})

/**
 * Published products by id or by slug, a former slug included. A reply holds the products that fit into a message:
 * those in `left` can be requested again, and those in no list do not exist.
 */
export const ReadProducts = defineRequest({
  name: 'product.read',
  from: ['identity'],
  to: 'catalog',
  request: z.union([
    z.object({ ids: z.array(OpaqueId).min(1).max(200) }),
    z.object({ slugs: z.array(z.string().min(1).max(200)).min(1).max(200) }),
  ]),
  reply: z.object({
    products: z.array(Product),
    left: z.array(z.string()),
    /**
     * Ids of products that exist and are never returned, such as those that are not published. Missing in replies of
     * versions before this field.
     */
    withheld: z.array(z.string()).optional(),
  }),
})

/** Encrypted under SECRETS_KEY, for the one service that uses each credential (`CREDENTIAL_READERS`). */
const EncryptedCredentials = z.object({
  credentials: z.array(z.object({ key: CredentialKey, sealed: z.string(), updatedAt: Timestamp })),
  /**
   * The previous values, for a day, of credentials that are used together with their successor, or after their removal.
   */
  replaced: z.array(z.object({ key: CredentialKey, sealed: z.string(), replacedAt: Timestamp })).exactOptional(),
})

export const ReadOrdersCredentials = defineRequest({
  name: 'credentials.for-orders',
  from: ['orders'],
  to: 'identity',
  request: z.object({}),
  reply: EncryptedCredentials,
})

export const ReadNotifierCredentials = defineRequest({
  name: 'credentials.for-notifier',
  from: ['notifier'],
  to: 'identity',
  request: z.object({}),
  reply: EncryptedCredentials,
})

/** What mails say about the shop, their templates and senders, and the kinds that are switched off. */
export const ShopInMails = z.object({
  version: z.int(),
  storeName: z.string(),
  /** Missing where the shop has none, and in replies of the previous version. */
  storeAddress: StoreAddress.optional(),
  locale: z.string(),
  /** IANA name, for dates; missing in replies of the previous version, which means UTC. */
  timeZone: z.string().optional(),
  currency: z.string(),
  notifications: NotificationSettings,
})

/** The storefront configuration in force, as mails need it, unless notifier has that version already. */
export const ReadNotificationSettings = defineRequest({
  name: 'settings.for-notifier',
  from: ['notifier'],
  to: 'catalog',
  /** The version that notifier has, if any. The previous version of catalog always replies with the settings. */
  request: z.object({ knownVersion: z.int().optional() }),
  reply: z.union([z.object({ version: z.int(), isUnchanged: z.literal(true) }), ShopInMails]),
})

/** What the documents of an order say about the shop: the storefront configuration in force. */
export const ReadDocumentSettings = defineRequest({
  name: 'settings.for-orders',
  from: ['orders'],
  to: 'catalog',
  request: z.object({}),
  reply: z.object({
    storeName: z.string(),
    storeAddress: StoreAddress.optional(),
    storeEmail: z.string().optional(),
    /** IANA name, for the dates of documents. */
    timeZone: z.string(),
    shippingMethods: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
})

/**
 * Everything a service stores about one customer, for the customer to read. A page holds what fits into a message;
 * `next` requests the following one.
 */
function definePersonalDataRequest(to: ServiceName) {
  return defineRequest({
    name: `${to}.personal-data`,
    from: ['identity'],
    to,
    request: z.object({
      customerId: OpaqueId,
      after: z.string().max(200).optional(),
      /** The verified address of the customer, for what is kept under it. */
      email: z.string().max(320).optional(),
    }),
    reply: z.object({
      records: z.array(z.object({ kind: z.string(), record: z.record(z.string(), z.unknown()) })),
      next: z.string().optional(),
    }),
  })
}

export const ReadOrdersPersonalData = definePersonalDataRequest('orders')
export const ReadCartPersonalData = definePersonalDataRequest('cart')
export const ReadCatalogPersonalData = definePersonalDataRequest('catalog')
export const ReadNotifierPersonalData = definePersonalDataRequest('notifier')

/**
 * The names of these ids of admin users and secret keys, including deleted ones. Ids that were never issued are left
 * out.
 */
export const ReadActorNames = defineRequest({
  name: 'actor.names',
  from: ['catalog', 'cart', 'orders', 'notifier'],
  to: 'identity',
  request: z.object({ ids: z.array(OpaqueId).min(1).max(200) }),
  reply: z.object({ actors: z.array(NamedActor.extend({ id: z.string() })) }),
})

/** A page of the actions of admins in a service, the latest first. */
function defineActivityRequest(to: ServiceName) {
  return defineRequest({
    name: `${to}.activity`,
    from: ['identity'],
    to,
    request: ActivityQuery,
    reply: ActivityPage,
  })
}

export const ReadCatalogActivity = defineActivityRequest('catalog')
export const ReadCartActivity = defineActivityRequest('cart')
export const ReadOrdersActivity = defineActivityRequest('orders')
export const ReadNotifierActivity = defineActivityRequest('notifier')

/**
 * Which of these events of one kind the consumer in this service has neither handled nor given up, and how many events
 * JetStream still has for that consumer.
 */
function defineReceiptsRequest(to: ServiceName) {
  const from = SERVICE_NAMES.filter(
    (name) => name !== to && EVENTS.some((event) => event.from === name && event.consumers.includes(to)),
  )
  return defineRequest({
    name: `${to}.receipts`,
    from,
    to,
    request: z.object({ event: z.string().max(100), ids: z.array(z.string().max(100)).max(10_000) }),
    reply: z.object({ missing: z.array(z.string()), waiting: z.int().nonnegative() }),
  })
}

/** One for each service that consumes events. */
export const FIND_MISSING_RECEIPTS = SERVICE_NAMES.filter((name) =>
  EVENTS.some(({ consumers }) => consumers.includes(name)),
).map(defineReceiptsRequest)
