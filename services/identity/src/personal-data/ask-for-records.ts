import { ask, DependencyUnavailable, type Messaging } from '@storefront/chassis'
import {
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
  ReadOrdersPersonalData,
} from '@storefront/contracts'

type Answerer = typeof ReadOrdersPersonalData

/** Everything that another service keeps about a customer, in its own words. */
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
 * Asks every other service, to the last page.
 * @throws DependencyUnavailable when one of them cannot be asked: what is incomplete must not pass for everything
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
    // A service that names the same page again would keep us here for ever.
    if (page.next !== undefined && asked.has(page.next)) throw new DependencyUnavailable(answerer.name)
    after = page.next
    if (after !== undefined) asked.add(after)
  } while (after !== undefined)
  return found
}
