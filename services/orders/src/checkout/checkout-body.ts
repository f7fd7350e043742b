import { z } from 'zod'
import { countryCodeOf, Money, plainText, PostalAddress, readEmailAddress, type Address } from '@storefront/contracts'
import {
  emailRequired,
  foreignPages,
  incompleteAddress,
  invalidEmail,
  unknownCountry,
  unservedCountry,
} from '../errors.ts'

const MAX_URL_LENGTH = 2000
const MAX_GIFT_MESSAGE_LENGTH = 500

const PageUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .refine(isPageUrl, 'must be an http or https address without a user name or password')

/** A named component: in an inline schema, a description beside a reference would be lost. */
export const CheckoutBody = z
  .object({
    email: z.string().max(320).optional().describe('Required: mails about the order go there.'),
    shipping_address: PostalAddress.optional().describe(
      'Must have `name`, `line1`, `city`, `postalCode` and `country`.',
    ),
    shipping_method: z
      .string()
      .max(100)
      .optional()
      .describe('`id` of one of the shipping methods in the storefront configuration; the first one if omitted.'),
    currency: z
      .string()
      .max(3)
      .optional()
      .describe(
        'ISO 4217 code that the buyer saw; if the cart has another currency, the error is `currency_mismatch`.',
      ),
    seen_total: Money.optional().describe(
      'The `total` that the buyer saw, as `GET /carts/{id}` has it for this delivery: another one is 409 `conflict`, and ' +
        'nothing is charged. Without it the total of this moment is charged.',
    ),
    gift_message: z
      .string()
      .max(MAX_GIFT_MESSAGE_LENGTH)
      .overwrite(plainText)
      .optional()
      .describe('Plain text for the recipient of the parcel, printed on the packing slip; line breaks are kept.'),
    success_url: PageUrl.optional().describe(
      "Where the buyer goes from the provider's page; `{ORDER_ID}`, percent-encoded or not, is replaced by the order's id. " +
        "Must be an address of one of the storefront's origins (`STOREFRONT_ORIGINS`, `STOREFRONT_URL`). Not used, and of " +
        'any origin, where the checkout replies with an order to be paid later.',
    ),
    cancel_url: PageUrl.optional().describe(
      "Where the buyer goes from the provider's page without having paid; `{ORDER_ID}` works here, too. " +
        "Must be an address of one of the storefront's origins, as `success_url`.",
    ),
  })
  .meta({ id: 'CheckoutBody' })

/** The same for a route whose path does not name the cart. */
export const CheckoutSessionBody = CheckoutBody.extend({
  cart_id: z.string().min(1).max(200).describe('The cart to check out.'),
}).meta({ id: 'CheckoutSessionBody' })

function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, href } = new URL(text)
  // The limit is on the encoded length, which is greater for other scripts: a provider would reject a longer one.
  if (href.length > MAX_URL_LENGTH) return false
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

/** Clients that build the address with `new URL()` send the braces percent-encoded. */
const ORDER_ID_PLACEHOLDER = /(?:\{|%7[Bb])ORDER_ID(?:\}|%7[Dd])/g

/**
 * A page of the storefront with the order's id filled in, in its encoded form: the input may contain line breaks and
 * backslashes, which a URL may not.
 */
export function pageOfShop(url: string | undefined, orderId: string): string | null {
  return url === undefined ? null : new URL(url.replace(ORDER_ID_PLACEHOLDER, orderId)).href
}

/**
 * A buyer trusts the page that a payment leads to, and its address contains the order's id: it must belong to the
 * storefront.
 * @param origins those of the storefront, as `URL.origin` writes them
 * @throws HttpError `validation_failed` that names each field with a page of another origin
 */
export function requirePagesOfStorefront(
  { successUrl, cancelUrl }: Pick<CheckoutDetails, 'successUrl' | 'cancelUrl'>,
  origins: ReadonlySet<string>,
): void {
  const pages = [
    ['success_url', successUrl],
    ['cancel_url', cancelUrl],
  ] as const
  const found = pages.flatMap(([field, url]) => {
    // The placeholder is replaced before the address is parsed, as it will be when it is used.
    const page = pageOfShop(url, 'order')
    const origin = page === null ? undefined : new URL(page).origin
    return origin === undefined || origins.has(origin) ? [] : [{ field, origin }]
  })
  if (found.length > 0) throw foreignPages(found, [...origins])
}

export interface CheckoutDetails {
  email: string
  address: Address
  shippingMethod: string
  giftMessage?: string | undefined
  currency: string | undefined
  successUrl: string | undefined
  cancelUrl: string | undefined
}

const REQUIRED_OF_ADDRESS = ['name', 'line1', 'city', 'postalCode', 'country'] as const
/** Anything but spaces, invisible characters, and marks without a letter. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}]/u

/** @throws HttpError `missing_fields` with the paths of the fields that a parcel needs and that have no visible text */
export function requireCompleteAddress(address: Address, path: 'shipping_address' | 'shippingAddress'): void {
  const missing = missingOfAddress(address)
  if (missing.length > 0) throw incompleteAddress(missing.map((field) => `${path}.${field}`))
}

/** The fields that a parcel needs and that have no visible text. */
export function missingOfAddress(address: Address): string[] {
  return REQUIRED_OF_ADDRESS.filter((field) => !VISIBLE.test(address[field]))
}

/**
 * The buyer's details that a checkout requires.
 * @throws HttpError `email_required`, `invalid_email`, `missing_fields` or `undeliverable_country`
 */
export function detailsOf(body: z.output<typeof CheckoutBody> | null | undefined): CheckoutDetails {
  const email = emailOf(body?.email)
  const address = PostalAddress.parse(body?.shipping_address ?? {})
  requireCompleteAddress(address, 'shipping_address')
  const country = countryCodeOf(address.country)
  if (country === undefined) throw unservedCountry(address.country)
  return {
    email,
    address: { ...address, country },
    shippingMethod: body?.shipping_method?.trim() ?? '',
    // An empty message counts as none.
    giftMessage: body?.gift_message || undefined,
    currency: body?.currency?.toUpperCase(),
    successUrl: body?.success_url,
    cancelUrl: body?.cancel_url,
  }
}

/**
 * The address of a merchant, who may not know the country or has nothing to deliver, with its country in the form that
 * orders store.
 * @param path of the country in the request, for the error
 * @throws HttpError `validation_failed` for a country that is not in ISO 3166-1
 */
export function withCountryCodeIfGiven(address: PostalAddress, path?: string): Address {
  if (address.country.trim() === '') return { ...address, country: '' }
  const country = countryCodeOf(address.country)
  if (country === undefined) throw unknownCountry(address.country, path)
  return { ...address, country }
}

/** @throws HttpError `email_required` or `invalid_email` */
export function emailOf(given: string | undefined): string {
  const email = given?.trim() ?? ''
  if (email === '') throw emailRequired()
  const address = readEmailAddress(email)
  if (!address) throw invalidEmail()
  return address.typed
}
