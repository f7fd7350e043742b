import type { PriceSettings } from '@storefront/contracts'
import { findRegion, foldedName, hasRegions } from '@storefront/contracts/regions'

export interface Destination {
  country: string
  region: string
}

type TaxRules = NonNullable<PriceSettings['commerce']['tax']>
type RegionalRate = TaxRules['rates'][number] & { region: string }

/** The rate in basis points: of the region or one around it, else of the country, else the default. */
export function taxRate(rules: TaxRules, destination: Destination): number {
  const inCountry = ratesOf(rules, destination.country)
  const rule = regionalRate(inCountry.filter(isRegional), destination) ?? inCountry.find((each) => !isRegional(each))
  return rule?.rate ?? rules.defaultRate
}

/**
 * A region that the shop has a tax rate for, as an example of what to enter: the destination is in the same country,
 * but its region is not known, so its tax would be wrong.
 * @returns undefined when the country is not taxed by region, or the region is known
 */
export function regionToName(rules: TaxRules | undefined, destination: Destination): string | undefined {
  const { country, region } = destination
  const regional = rules ? ratesOf(rules, country).filter(isRegional) : []
  const [first] = regional
  if (!first || !hasRegions(country)) return undefined
  const isKnown = findRegion(country, region).codes.length > 0 || regionalRate(regional, destination) !== undefined
  return isKnown ? undefined : first.region
}

function ratesOf({ rates }: TaxRules, country: string): TaxRules['rates'] {
  return rates.filter((rule) => rule.country.trim().toUpperCase() === country.trim().toUpperCase())
}

function isRegional(rule: TaxRules['rates'][number]): rule is RegionalRate {
  return rule.region !== undefined && rule.region.trim() !== ''
}

function regionalRate(rules: readonly RegionalRate[], { country, region }: Destination): RegionalRate | undefined {
  const { codes, within } = findRegion(country, region)
  const named = rules.map((rule) => ({ rule, codes: findRegion(country, rule.region).codes }))
  // The region itself takes precedence over one that it lies in.
  for (const code of [...codes, ...within]) {
    const found = named.find((each) => each.codes.includes(code))
    if (found) return found.rule
  }
  // Saved before regions were checked: it matches an address with the same spelling.
  const typed = foldedName(region)
  return typed === '' ? undefined : rules.find((rule) => foldedName(rule.region) === typed)
}
