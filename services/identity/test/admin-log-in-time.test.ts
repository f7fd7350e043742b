import { performance } from 'node:perf_hooks'
import { amount } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminsOf } from './admins.ts'
import { isNearHalf, shareOfGreater } from './compare-durations.ts'
import { createSetting, type Setting } from './setting.ts'

/** As many as in timing.test.ts, which gives the reason. */
const ROUNDS = 48
/** A quick run ends with these when they show no difference. */
const FIRST_ROUNDS = amount({ quick: 24, long: ROUNDS })
/** Fewer than the wrong passwords after which further ones are not checked. */
const ROUNDS_PER_USER = 12

let shop: Setting

beforeAll(async () => {
  shop = await createSetting({ PASSWORD_HASH_COST: 'standard' })
})
afterAll(() => shop.stop())

test('a failed sign-in takes as long for an unknown user, a wrong password and a disabled user', async () => {
  const admins = adminsOf(shop)
  const timed = async (email: string, password?: string): Promise<number> => {
    const start = performance.now()
    const response = await admins.logIn(email, password === undefined ? {} : { password })
    const ms = performance.now() - start
    expect(response.status).toBe(401)
    return ms
  }
  const times: Record<'unknown' | 'wrong' | 'disabled', number[]> = { unknown: [], wrong: [], disabled: [] }
  const pairs = [
    [times.unknown, times.wrong],
    [times.unknown, times.disabled],
    [times.wrong, times.disabled],
  ] as const
  let [known, disabled] = ['', '']
  for (let round = 0; round < ROUNDS; round++) {
    if (round === FIRST_ROUNDS && pairs.every(([one, other]) => isNearHalf(shareOfGreater(one, other)))) break
    if (round % ROUNDS_PER_USER === 0) {
      known = (await admins.add()).email
      const user = await admins.add()
      await admins.change(user.id, { disabled: true })
      disabled = user.email
    }
    // Interleaved, in a changing order, so that other load of the machine affects all of them.
    const samples = [
      async () => times.unknown.push(await timed(`nobody${round % ROUNDS_PER_USER}@shop.example`)),
      async () => times.wrong.push(await timed(known, 'wrong')),
      async () => times.disabled.push(await timed(disabled)),
    ]
    for (let turn = 0; turn < samples.length; turn++) await samples[(round + turn) % samples.length]?.()
  }
  for (const [one, other] of pairs) {
    expect([FIRST_ROUNDS, ROUNDS]).toContain(one.length)
    const share = shareOfGreater(one, other)
    expect(share).toBeGreaterThan(0.25)
    expect(share).toBeLessThan(0.75)
  }
})
