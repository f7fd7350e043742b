import { servedCountries, type PriceSettings, type ShippingMethod } from '@storefront/contracts'
import { invalidShippingMethod, undeliverableCountry, unknownRegion } from '../errors.ts'
import { regionToName, type Destination } from './tax-rate.ts'

/** @throws HttpError `invalid_shipping_method`; a shop without methods accepts any name and charges nothing */
export function shippingMethodOf({ commerce }: PriceSettings, id: string): ShippingMethod | undefined {
  const methods = commerce.shippingMethods ?? []
  const method = id === '' ? methods[0] : methods.find((each) => each.id === id)
  if (!method && methods.length > 0) throw invalidShippingMethod(methods.map((each) => each.id))
  return method
}

/** @throws HttpError `undeliverable_country`, or `validation_failed` for an unknown region that decides the tax */
export function checkDestination(
  { commerce }: PriceSettings,
  destination: Destination,
  regionPath = 'shipping_address.region',
): void {
  const { country, region } = destination
  const served = servedCountries(commerce)
  if (served.length > 0 && !served.includes(country.toUpperCase())) throw undeliverableCountry(country)
  const example = regionToName(commerce.tax, destination)
  if (example !== undefined) throw unknownRegion({ country, found: region, example, path: regionPath })
}
