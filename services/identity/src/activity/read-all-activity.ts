import { sendRequest, type Messaging } from '@storefront/messaging'
import { mergeActivity, readActivity, totalOf, type ActivitySource } from '@storefront/audit'
import type { Log } from '@storefront/service'
import {
  ReadCartActivity,
  ReadCatalogActivity,
  ReadNotifierActivity,
  ReadOrdersActivity,
  type ActivityPage,
  type ActivityQuery,
  type ActivityRecord,
  type AuditingService,
} from '@storefront/contracts'
import type { WantedKinds } from './wanted-kinds.ts'

interface ActivityContext {
  messaging: Messaging
  log: Log
  own: ActivitySource
}

export type FoundEntry = ActivityRecord & { service: AuditingService }

/**
 * Reads the same page of every service and merges them. A service that does not reply is listed as incomplete.
 * @param query.limit entries in total
 * @param query.actorIds an empty list matches nothing, and no service is requested
 */
export async function readAllActivity(
  context: ActivityContext,
  query: Omit<ActivityQuery, 'kinds'>,
  wanted: WantedKinds,
): Promise<{ entries: FoundEntry[]; total: number; incomplete: AuditingService[] }> {
  if (query.actorIds?.length === 0) return { entries: [], total: 0, incomplete: [] }
  const pages = await Promise.all(
    [...wanted].map(async ([service, kinds]) => ({
      service,
      page: await readService(context, service, { ...query, ...(kinds && { kinds: [...kinds] }) }),
    })),
  )
  const lists = pages.map(({ service, page }) => page?.entries.map((entry) => ({ ...entry, service })) ?? [])
  return {
    entries: mergeActivity(lists, query.limit),
    total: totalOf(pages.flatMap(({ page }) => page ?? [])),
    incomplete: pages.flatMap(({ service, page }) => (page ? [] : [service])),
  }
}

/** @returns undefined when the service does not reply, or replies with an error */
async function readService(
  { messaging, log, own }: ActivityContext,
  service: AuditingService,
  query: ActivityQuery,
): Promise<ActivityPage | undefined> {
  if (service === 'identity') return readActivity([own], query)
  try {
    return await sendRequest(messaging, REQUESTS[service], query)
  } catch (error) {
    log.warn({ err: error, service }, 'the activity of a service could not be read and is missing from a list')
    return undefined
  }
}

const REQUESTS = {
  catalog: ReadCatalogActivity,
  cart: ReadCartActivity,
  orders: ReadOrdersActivity,
  notifier: ReadNotifierActivity,
} satisfies Record<Exclude<AuditingService, 'identity'>, typeof ReadCatalogActivity>
