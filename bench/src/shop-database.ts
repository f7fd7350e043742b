import type { Client } from 'pg'
import { urlOfDatabase, withClient } from '@storefront/tools/with-client'

/** The database of a shop, with all rights. */
export const shopDatabaseUrl = (adminUrl: string): string => urlOfDatabase(adminUrl, 'shop')

/** Connects to the database of a shop for as long as the work takes. */
export function inShopDatabase<Result>(adminUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  return withClient({ connectionString: shopDatabaseUrl(adminUrl) }, work)
}
