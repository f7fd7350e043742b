import { Client } from 'pg'
import type { ServiceName } from '@storefront/contracts'
import { shopDatabase, type TestShop } from './shop.ts'

export interface HeldLock {
  /**
   * Whether a statement of a service waits for this lock; a part of its text excludes timers that use the same tables.
   */
  blocks: (service: ServiceName, statement?: string) => Promise<boolean>
  release: () => Promise<void>
}

/**
 * Holds a lock in the database of the shop, which blocks a service at that step, until the returned function is called.
 */
export async function holdLock(shop: TestShop, statement: string): Promise<() => Promise<void>> {
  return (await holdWatchedLock(shop, statement)).release
}

/** Holds a lock like `holdLock`, and reports whether a service waits for it. */
export async function holdWatchedLock({ shop, sql }: TestShop, statement: string): Promise<HeldLock> {
  const client = new Client({ connectionString: shopDatabase(shop) })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  const [holder] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  return {
    async blocks(service, text = '') {
      const blocked = await sql(
        `select 1 from pg_stat_activity where datname = current_database() and application_name = $1
           and wait_event_type = 'Lock' and strpos(query, $2) > 0 and $3 = any(pg_blocking_pids(pid))`,
        [service, text, holder?.pid],
      )
      return blocked.length > 0
    },
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
