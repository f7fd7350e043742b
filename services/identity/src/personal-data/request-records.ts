import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable } from '@storefront/service'
import {
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
  ReadOrdersPersonalData,
} from '@storefront/contracts'

type RecordsRequest = typeof ReadOrdersPersonalData

/** All records that another service has about a customer, in its own fields. */
export interface KeptRecord {
  kind: string
  record: Record<string, unknown>
}

const RECORDS_REQUESTS: readonly RecordsRequest[] = [
  ReadOrdersPersonalData,
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
]

/**
 * Requests every other service's records, to the last page.
 * @throws DependencyUnavailable when one of them cannot be reached: an incomplete export must not look complete
 */
export async function requestRecords(messaging: Messaging, customerId: string): Promise<KeptRecord[]> {
  const all = await Promise.all(
    RECORDS_REQUESTS.map((recordsRequest) => requestRecordsOf(messaging, recordsRequest, customerId)),
  )
  return all.flat()
}

async function requestRecordsOf(
  messaging: Messaging,
  recordsRequest: RecordsRequest,
  customerId: string,
): Promise<KeptRecord[]> {
  const found: KeptRecord[] = []
  const requested = new Set<string>()
  let after: string | undefined
  do {
    const page = await sendRequest(messaging, recordsRequest, { customerId, ...(after === undefined ? {} : { after }) })
    found.push(...page.records)
    // A service that returns the same page again would cause an endless loop.
    if (page.next !== undefined && requested.has(page.next)) throw new DependencyUnavailable(recordsRequest.name)
    after = page.next
    if (after !== undefined) requested.add(after)
  } while (after !== undefined)
  return found
}
