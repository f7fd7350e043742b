import type { Clock } from '@storefront/service'
import type { Database } from '../database.ts'
import { STOREFRONT_ENDPOINT_ID } from './endpoint.ts'
import { upsertConfiguredEndpoint } from './endpoints.queries.ts'

/** Registers the storefront's own endpoint, by which its cache is notified of every change (docs/contract.md). */
export async function registerStorefrontEndpoint(db: Database, storefrontUrl: string, clock: Clock): Promise<void> {
  const endpoint = { id: STOREFRONT_ENDPOINT_ID, url: `${storefrontUrl}/api/revalidate` }
  await upsertConfiguredEndpoint(db, endpoint, clock.now())
}
