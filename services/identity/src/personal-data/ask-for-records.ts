import { ask, DependencyUnavailable, type Messaging } from '@storefront/chassis'
import {
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
  ReadOrdersPersonalData,
} from '@storefront/contracts'

type Answerer = typeof ReadOrdersPersonalData

/** All records that another service has about a customer, in its own fields. */
export interface KeptRecord {
  kind: string
  record: Record<string, unknown>
}

const ANSWERERS: readonly Answerer[] = [
  ReadOrdersPersonalData,
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
]

/**
 * Requests every other service's records, to the last page.
 * @throws DependencyUnavailable when one of them cannot be reached: an incomplete export must not look complete
 */
export async function askForRecords(messaging: Messaging, customerId: string): Promise<KeptRecord[]> {
  const all = await Promise.all(ANSWERERS.map((answerer) => askOne(messaging, answerer, customerId)))
  return all.flat()
}

async function askOne(messaging: Messaging, answerer: Answerer, customerId: string): Promise<KeptRecord[]> {
  const found: KeptRecord[] = []
  const asked = new Set<string>()
  let after: string | undefined
  do {
    const page = await ask(messaging, answerer, { customerId, ...(after === undefined ? {} : { after }) })
    found.push(...page.records)
    // A service that returns the same page again would cause an endless loop.
    if (page.next !== undefined && asked.has(page.next)) throw new DependencyUnavailable(answerer.name)
    after = page.next
    if (after !== undefined) asked.add(after)
  } while (after !== undefined)
  return found
}
