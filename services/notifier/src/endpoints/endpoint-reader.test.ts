import { performance } from 'node:perf_hooks'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { createLog } from '@storefront/service'
import { afterEach, expect, test, vi } from 'vitest'
import type { NotifierTables } from '../database.ts'
import type { Claim } from '../deliveries/endpoint-queues.ts'
import { createEndpointReader } from './endpoint-reader.ts'

const log = createLog({ service: 'test', level: 'silent' })

afterEach(() => vi.restoreAllMocks())

/** A reader of a database without endpoints, whose statements are counted. */
function countingReader() {
  let statements = 0
  const db = new Kysely<NotifierTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: () => void statements++,
  })
  return { reader: createEndpointReader({ db, log, secretsOf: () => undefined }), statements: () => statements }
}

const claim: Claim = {
  id: 'dlv_1',
  endpoint_id: 'whe_1',
  url: 'https://shop.example/hook',
  event_id: 'evt_1',
  body: '{}',
  failures: 0,
  replays: 0,
  probe: false,
  traceparent: null,
  secret: 'unreadable',
  previous_secret: null,
  previous_until: null,
  beganMs: 5000,
  claimedAtMs: 5000,
}

test('claims of a second read once which secrets cannot be decrypted', async () => {
  const { reader, statements } = countingReader()
  const now = vi.spyOn(performance, 'now')
  for (const ms of [5000, 5100, 5900]) {
    now.mockReturnValue(ms)
    expect(await reader.unsignable()).toEqual([])
  }
  expect(statements()).toBe(1)
  now.mockReturnValue(6001)
  await reader.unsignable()
  expect(statements()).toBe(2)
})

test('a delivery that cannot be signed makes the next claim read them again', async () => {
  const { reader, statements } = countingReader()
  vi.spyOn(performance, 'now').mockReturnValue(5000)
  await reader.unsignable()
  expect(await reader.read(claim)).toBeUndefined()
  await reader.unsignable()
  expect(statements()).toBe(2)
})
