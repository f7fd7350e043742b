import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable } from '@storefront/service'
import {
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
  ReadOrdersPersonalData,
} from '@storefront/contracts'

type RecordsRequest = typeof ReadOrdersPersonalData

/** A record that another service has about a customer, in the fields of that service. */
export interface PersonalRecord {
  kind: string
  record: Record<string, unknown>
}

const RECORDS_REQUESTS: readonly RecordsRequest[] = [
  ReadOrdersPersonalData,
  ReadCartPersonalData,
  ReadCatalogPersonalData,
  ReadNotifierPersonalData,
]

/** The customer, and their verified address if they have one. */
interface DataOwner {
  customerId: string
  email?: string | undefined
}

/**
 * Requests all pages of the records of every other service.
 * @throws DependencyUnavailable when one of them cannot be reached, because an export must be complete
 */
export async function requestRecords(messaging: Messaging, owner: DataOwner): Promise<PersonalRecord[]> {
  const all = await Promise.all(
    RECORDS_REQUESTS.map((recordsRequest) => requestRecordsOf(messaging, recordsRequest, owner)),
  )
  return all.flat()
}

async function requestRecordsOf(
  messaging: Messaging,
  recordsRequest: RecordsRequest,
  { customerId, email }: DataOwner,
): Promise<PersonalRecord[]> {
  const found: PersonalRecord[] = []
  const requested = new Set<string>()
  let after: string | undefined
  do {
    const page = await sendRequest(messaging, recordsRequest, {
      customerId,
      ...(email === undefined ? {} : { email }),
      ...(after === undefined ? {} : { after }),
    })
    found.push(...page.records)
    // A service that returns the same page again would cause an endless loop.
    if (page.next !== undefined && requested.has(page.next)) throw new DependencyUnavailable(recordsRequest.name)
    after = page.next
    if (after !== undefined) requested.add(after)
  } while (after !== undefined)
  return found
}
