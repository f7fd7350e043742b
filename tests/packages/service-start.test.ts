import { manualClock } from '@storefront/service/testing'
import { join } from 'node:path'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseServiceConfig, readConfig } from '@storefront/service'
import { startService, type StartedService } from '@storefront/service-start'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'

const MIGRATIONS = join(import.meta.dirname, '../../services/cart/migrations')
const OTHER_MIGRATIONS = join(import.meta.dirname, '../../services/orders/migrations')

let suite: Suite

beforeEach(async () => {
  suite = await createSuite('cart')
})
afterEach(() => suite.stop())

/** A service with one timer and one consumer; both still use the database when they are stopped. */
function start(env: NodeJS.ProcessEnv = {}, migrations = MIGRATIONS) {
  const stopped: string[] = []
  const config = readConfig(DatabaseServiceConfig, { ...suite.env('cart'), ...env })
  const starting: Promise<StartedService<object>> = startService<unknown, object>(
    { name: 'cart', config, log: suite.log, clock: manualClock('2026-03-02T12:00:00.000Z'), migrations },
    async (_app, { db }) => {
      const stopOf = (name: string) => async () => {
        await sql`select 1`.execute(db)
        stopped.push(name)
      }
      return { context: {}, timers: [{ stop: stopOf('timer') }], consumers: [{ stop: stopOf('consumer') }] }
    },
  )
  return { starting, stopped }
}

/** The connections of the service, without those of the test's own statements. */
async function connections(): Promise<unknown[]> {
  return suite.sql(`select application_name from pg_stat_activity
    where datname = current_database() and application_name = 'cart'`)
}

describe('a service that cannot start', () => {
  test('names the missing migrations, and leaves no connection open', async () => {
    const { starting } = start({}, OTHER_MIGRATIONS)
    await expect(starting).rejects.toThrow(/run the migrate step first \(missing .*\b0001_orders\.sql\b/)
    await waitFor('no connection', async () => (await connections()).length === 0)
  })

  test('because its port is taken stops what it had started, and leaves no connection open', async () => {
    const other: Server = createServer()
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { starting, stopped } = start({ PORT: String(port) })
    await expect(starting).rejects.toThrow('EADDRINUSE')
    expect(stopped).toEqual(['consumer', 'timer'])
    await waitFor('no connection', async () => (await connections()).length === 0)
    other.close()
  })
})

test('a service that stops ends its consumers, then its timers, and then closes its connections', async () => {
  const { starting, stopped } = start()
  const service = await starting
  expect(await connections()).not.toHaveLength(0)
  await service.stop()
  expect(stopped).toEqual(['consumer', 'timer'])
  await waitFor('no connection', async () => (await connections()).length === 0)
})
