import { inShopDatabase } from './shop-database.ts'

/**
 * Removes old rows, makes statistics and writes pages out, as PostgreSQL itself does within minutes after a bulk load.
 * Otherwise it would do so in the middle of the measurement.
 */
export async function vacuumDatabase(adminUrl: string): Promise<void> {
  await inShopDatabase(adminUrl, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
}
