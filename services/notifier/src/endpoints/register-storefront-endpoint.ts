import type { Clock } from '@storefront/service'
import type { NotifierConfig } from '../config.ts'
import type { Database } from '../database.ts'
import { STOREFRONT_ENDPOINT_ID } from './endpoint.ts'
import { upsertConfiguredEndpoint } from './endpoints.queries.ts'

/** @returns where webhooks for the storefront go */
export function revalidateUrl(config: Pick<NotifierConfig, 'STOREFRONT_URL' | 'STOREFRONT_WEBHOOK_URL'>): string {
  return `${config.STOREFRONT_WEBHOOK_URL ?? config.STOREFRONT_URL}/api/revalidate`
}

/** Registers the storefront's own endpoint, by which its cache is notified of every change (docs/contract.md). */
export async function registerStorefrontEndpoint(db: Database, url: string, clock: Clock): Promise<void> {
  const endpoint = { id: STOREFRONT_ENDPOINT_ID, url }
  await upsertConfiguredEndpoint(db, endpoint, clock.now())
}
