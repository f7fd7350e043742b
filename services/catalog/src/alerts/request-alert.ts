import { clientKeysOf, networkOf, type App } from '@storefront/http'
import { AlertKind, Ok, readEmailAddress } from '@storefront/contracts'
import { z } from 'zod'
import type { CatalogContext } from '../context.ts'
import type { Database } from '../database.ts'
import { bodyRejected, invalidEmail, productNotFound, tooManyWaiting, variantNotFound } from '../errors.ts'
import { findPublishedBySlug } from '../products/products.queries.ts'
import { insertAlertRequest, type AlertRequest } from './alert-requests.queries.ts'
import { findAlertedVariants } from './alerted-product.queries.ts'

/** Far more than the requests that a shop gets in the seconds until they are processed. */
const MAX_WAITING = 10_000

const AlertRequestBody = z
  .object({
    kind: AlertKind.describe('What the shopper waits for.'),
    product_slug: z.string().min(1).max(200).describe('Slug of a published product, current or former.'),
    variant_id: z
      .string()
      .max(200)
      .nullish()
      .describe('The variant to wait for; needed for `back-in-stock`. A price is always that of the product.'),
    email: z.string().nullish().describe('Where the mails go; a link to confirm the alert is sent there first.'),
  })
  .meta({ id: 'AlertRequest' })
type AlertRequestBody = z.output<typeof AlertRequestBody>

/**
 * Neither the response nor its time reveals which addresses are known, because the route only inserts a row.
 * @param onRequest is called for each request, to wake `processAlertRequests`
 */
export function requestAlertRoute(app: App, { db, clock, verifyActor }: CatalogContext, onRequest: () => void): void {
  app.post('/alerts', {
    config: { access: 'public', errors: ['invalid_email', 'not_found', 'variant_not_found'] },
    schema: {
      summary: 'Get a mail when a variant can be bought again, or when the price of a product falls',
      description:
        'The alert begins when the link in the mail is opened. The response is always the same, whether or not the ' +
        'address has the alert already; the same alert again sends no second mail within an hour. A variant that is ' +
        'not one of the product is 404 `variant_not_found`.',
      body: AlertRequestBody,
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const email = readEmailAddress(request.body.email ?? '')?.canonical
      if (email === undefined) throw invalidEmail()
      const subject = await requireSubject(db, request.body)
      const senders = clientKeysOf({ network: networkOf(request, verifyActor) })
      const waiting = { ...subject, email, senders, requestedAt: clock.now() }
      if (!(await insertAlertRequest(db, waiting, MAX_WAITING))) throw tooManyWaiting()
      onRequest()
      return { ok: true }
    },
  })
}

async function requireSubject(
  db: Database,
  { kind, product_slug: slug, variant_id: given }: AlertRequestBody,
): Promise<Pick<AlertRequest, 'kind' | 'productId' | 'variantId' | 'price'>> {
  const product = await findPublishedBySlug(db, slug)
  if (!product) throw productNotFound()
  const { id: productId, priceMinor: amount, currency } = product
  const subject = { kind, productId, price: { amount, currency } }
  if (kind === 'price-drop') return { ...subject, variantId: null }
  if (!given) throw bodyRejected([{ path: 'variant_id', message: 'must be given for back-in-stock' }])
  const variants = await findAlertedVariants(db, productId)
  const variant = variants.find(({ id }) => id === given)
  if (!variant) throw variantNotFound()
  return { ...subject, variantId: variant.id }
}
