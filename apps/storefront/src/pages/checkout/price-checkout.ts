import { StorefrontError, type components } from '@storefront/client'
import type { LiveRequest } from '../../server/live-page.tsx'
import { found } from '../../shop/catalog.ts'
import type { Frame } from '../../shop/frame.ts'
import type { Cart } from '../bag/bag-contents.tsx'
import { fieldsOf, knownMethodsOf, type Details, type FieldName } from './details.ts'

type Method = components['schemas']['ShippingMethodSetting']

/** A way of delivery, with what it costs for this bag. */
export interface Offer {
  method: Method
  /** Undefined where it was not requested: then the configured price is shown. */
  shipping: Cart['shipping'] | undefined
  /** ISO 8601. */
  arrivesAt: string | undefined
}

export interface PricedCheckout {
  /** With the amounts that a checkout with these details charges. */
  cart: Cart
  offers: readonly Offer[]
  /** Id of the chosen method; empty where the shop has none. */
  chosen: string
  /** Fields for which the shop has no price. */
  faulty: readonly FieldName[]
}

/** A shop with more methods than these shows the configured price of the others. */
const MAX_PRICED = 6

type PricingRequest = Pick<LiveRequest, 'shop' | 'catalog' | 'setBag'> & {
  context: { frame: Pick<Frame, 'settings'> }
}
type DeliveryDetails = Pick<Details, 'country' | 'region' | 'method'>

/**
 * Leaves out methods that the shop does not have any more: for a minute they are in the frame of a storefront process
 * that did not get the webhook.
 * @returns undefined when the bag no longer exists
 */
export async function priceCheckout(
  request: PricingRequest,
  bagId: string,
  details: DeliveryDetails,
): Promise<PricedCheckout | undefined> {
  const methods = request.context.frame.settings.commerce?.shippingMethods ?? []
  try {
    return await priceMethods(request, bagId, details, methods)
  } catch (error) {
    const known = error instanceof StorefrontError ? knownMethodsOf(error) : undefined
    if (!known) throw error
    return priceMethods(
      request,
      bagId,
      details,
      methods.filter(({ id }) => known.has(id)),
    )
  }
}

async function priceMethods(
  request: PricingRequest,
  bagId: string,
  details: DeliveryDetails,
  methods: readonly Method[],
): Promise<PricedCheckout | undefined> {
  const chosen = (methods.find(({ id }) => id === details.method) ?? methods[0])?.id ?? ''
  const place = {
    ...(details.country !== '' && { country: details.country }),
    ...(details.region !== '' && { region: details.region }),
  }
  const read = (id: string, method: string, to: typeof place) => {
    const query = { ...to, ...(method !== '' && { shipping_method: method }) }
    return found(request.shop.get('/carts/{id}', { params: { path: { id }, query } }))
  }
  const { cart, faulty } = await firstPrice(
    () => read(bagId, chosen, place),
    () => read(bagId, chosen, {}),
  )
  if (!cart) return undefined
  if (cart.id !== bagId) request.setBag(cart.id)
  const known = faulty.length === 0 ? place : {}
  const offers = methods.map(async (method, index): Promise<Offer> => {
    const { id } = method
    let priced = id === chosen ? cart : undefined
    if (!priced && index < MAX_PRICED) priced = await read(cart.id, id, known)
    return { method, shipping: priced?.shipping, arrivesAt: await arrivalOf(request, id, known.country) }
  })
  return { cart, offers: await Promise.all(offers), chosen, faulty }
}

interface FirstPrice {
  cart: Cart | undefined
  faulty: FieldName[]
}

/** For an address that the shop does not accept, the price without it. */
async function firstPrice(
  read: () => Promise<Cart | undefined>,
  readAnywhere: () => Promise<Cart | undefined>,
): Promise<FirstPrice> {
  try {
    return { cart: await read(), faulty: [] }
  } catch (error) {
    const faulty = error instanceof StorefrontError ? fieldsOf(error) : []
    if (faulty.length === 0) throw error
    return { cart: await readAnywhere(), faulty }
  }
}

/** An estimate that cannot be read must not stop a checkout. */
async function arrivalOf(
  { catalog }: Pick<LiveRequest, 'catalog'>,
  method: string,
  country: string | undefined,
): Promise<string | undefined> {
  const query = { method, ...(country !== undefined && { country }) }
  const estimate = await catalog.deliveryEstimate(query).catch(() => undefined)
  return estimate?.arrivesAt
}
