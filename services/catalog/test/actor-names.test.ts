import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { actorNames, type ActorNames } from '@storefront/audit'
import { ReadActorNames } from '@storefront/contracts'
import { replyTo, type Messaging } from '@storefront/messaging'
import { manualClock } from '@storefront/service/testing'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'

/** How many names one request reads, and how many of these lists are in memory. */
const AT_ONCE = 200
const LISTS = 10
/** How long a name stays fresh, and how long identity gets no request after it did not reply. */
const FRESH_MS = 60_000
const PAUSE_MS = 5000

let suite: Suite
let catalog: Messaging
const requested: string[][] = []
const clock = manualClock(new Date())
let names: ActorNames

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await suite.openMessaging('catalog')
  const identity = await suite.openMessaging('identity')
  replyTo({ messaging: identity, log: suite.log, verifyActor: () => undefined }, ReadActorNames, async ({ ids }) => {
    requested.push(ids)
    return { actors: ids.map((id) => ({ kind: 'user' as const, id, name: `The user ${id}` })) }
  })
  await identity.connection().flush()
})
afterAll(() => suite.stop())

beforeEach(async () => {
  names = actorNames({ messaging: catalog, clock, log: suite.log })
  for (let list = 0; list < LISTS; list++) await read(list)
})

const idsOf = (list: number) => Array.from({ length: AT_ONCE }, (_, index) => `user_${list}_${index}`)

async function isNamed(list: number): Promise<boolean> {
  const nameOf = await names(idsOf(list))
  return idsOf(list).every((id) => nameOf(id).name === `The user ${id}`)
}

/** Reads the names of a list. On a busy machine identity may take longer than a request for names does. */
async function read(list: number): Promise<void> {
  await waitFor('the names', async () => {
    if (await isNamed(list)) return true
    clock.advance(PAUSE_MS)
    return false
  })
  requested.length = 0
}

test('more names than are remembered replace the oldest ones, and no others', async () => {
  await read(LISTS)
  for (let list = 1; list <= LISTS; list++) expect(await isNamed(list)).toBe(true)
  expect(requested).toEqual([])
  await names(idsOf(0))
  await expect.poll(() => requested[0]).toEqual(idsOf(0))
})

test('a name that was read again is not the oldest', async () => {
  clock.advance(FRESH_MS)
  await read(0)
  await read(LISTS)
  expect(await isNamed(0)).toBe(true)
  expect(requested).toEqual([])
})
