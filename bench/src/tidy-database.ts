import { inShopDatabase } from './shop-database.ts'

/**
 * Does at once what PostgreSQL does by itself within minutes after a bulk load: old rows removed, statistics made, pages
 * written out. Otherwise it would do so in the middle of what is measured.
 */
export async function tidyDatabase(adminUrl: string): Promise<void> {
  await inShopDatabase(adminUrl, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
}
