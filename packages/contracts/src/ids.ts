import { z } from 'zod'

export const ID_PREFIXES = {
  product: 'prod',
  variant: 'var',
  image: 'img',
  sizeChart: 'chart',
  cart: 'cart',
  line: 'line',
  order: 'order',
  draftOrder: 'draft',
  customer: 'cus',
  address: 'addr',
  session: 'sess',
  adminUser: 'user',
  apiKey: 'key',
  confirmation: 'conf',
  subscriber: 'sub',
  wishlistEntry: 'wish',
  review: 'rev',
  refund: 'refund',
  orderNote: 'note',
  fulfilment: 'ful',
  buyerNote: 'bnote',
  payment: 'pay',
  reservation: 'res',
  event: 'evt',
  delivery: 'dlv',
  endpoint: 'whe',
  mail: 'mail',
  request: 'req',
  libraryItem: 'lib',
  savedView: 'view',
  bulkEdit: 'bulk',
  alert: 'alert',
} as const
type IdKind = keyof typeof ID_PREFIXES

/** These ids are capabilities: knowing one gives access, so no part of them may be guessable. */
const CAPABILITIES: ReadonlySet<IdKind> = new Set(['cart', 'order', 'draftOrder', 'payment', 'session', 'reservation'])

/**
 * Makes a new opaque id such as `cart_9f8b…`. Ids that one process makes one after the other are neighbors in every
 * index, so that an old shop reads and writes the same few pages of it, and not random ones (docs/decisions/0102).
 * @returns the kind's prefix and hexadecimal digits: four that this process uses for an hour and 128 random bits if the
 * id is a capability, or else the time in milliseconds and 80 random bits
 */
export function newId(kind: IdKind): string {
  // Not a UUID, of which six bits are always the same.
  if (CAPABILITIES.has(kind)) return `${ID_PREFIXES[kind]}_${neighborhood()}${randomDigits(16)}`
  return `${ID_PREFIXES[kind]}_${Date.now().toString(16).padStart(12, '0')}${randomDigits(10)}`
}

const NEIGHBORS_MS = 3_600_000
let current = { digits: '', untilMs: 0 }

/** Random, and not a time: an id must not reveal when a cart or an order was made. */
function neighborhood(): string {
  const nowMs = performance.now()
  if (nowMs >= current.untilMs) current = { digits: randomDigits(2), untilMs: nowMs + NEIGHBORS_MS }
  return current.digits
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** Random bytes of the next ids: fetched for hundreds of them, because each fetch costs more than an id. */
const random = new Uint8Array(4096)
let used = random.length

function randomDigits(bytes: number): string {
  if (used + bytes > random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  let digits = ''
  for (const end = used + bytes; used < end; used++) digits += PAIRS[random[used] ?? 0]
  return digits
}

/** An id as it comes from outside: opaque, bounded, and free of characters that could break a log or a query. */
export const OpaqueId = z.string().min(1).max(200)
