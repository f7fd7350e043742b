import type { Database } from '../database.ts'
import { upsertEndpoint } from './endpoints.queries.ts'

/** The endpoint that comes from the configuration has a fixed id, so that a new address keeps its log. */
export const STOREFRONT_ENDPOINT_ID = 'whe_storefront'

/** The storefront's cache hears of every change (specification, "Events"). */
export async function keepStorefrontEndpoint(db: Database, storefrontUrl: string): Promise<void> {
  await upsertEndpoint(db, { id: STOREFRONT_ENDPOINT_ID, url: `${storefrontUrl}/api/revalidate` })
}
