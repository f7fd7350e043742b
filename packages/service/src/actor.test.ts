import { describe, expect, test } from 'vitest'
import { PERMISSIONS, type Actor } from '@storefront/contracts'
import { actorSigner, actorVerifier } from './actor.ts'
import { createActorKeys } from './testing/actors.ts'
import { manualClock } from './testing/manual-clock.ts'

const clock = manualClock('2026-01-05T10:00:00.000Z')
const keys = createActorKeys()
const sign = actorSigner(keys.privateKey, clock)
const verify = actorVerifier(keys.publicKey, clock)
const admin: Actor = { kind: 'admin', userId: 'user_1', sessionId: 'sess_1', permissions: [...PERMISSIONS] }
const customer: Actor = { kind: 'customer', customerId: 'cus_1', sessionId: 'sess_1' }
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('a signed actor', () => {
  test('is valid for a minute', () => {
    for (const actor of [admin, customer, { kind: 'anonymous' } as const]) {
      expect(verify(sign(actor))).toEqual(actor)
    }
    const token = sign(admin)
    clock.advance(59_000)
    expect(verify(token)).toEqual(admin)
    clock.advance(1000)
    expect(verify(token)).toBeUndefined()
  })

  test('is not valid when a single character differs', () => {
    const token = sign(admin)
    for (let position = 0; position < token.length; position++) {
      const letter = token[position] ?? ''
      // Where the last character encodes fewer than six bits, a neighboring character may stand for the same bits.
      const other = LETTERS[(LETTERS.indexOf(letter) + 1) % LETTERS.length] ?? ''
      for (const changed of [other, '', '.', '=', ' ', '~', `${letter}=`, `${letter} `]) {
        if (changed === letter) continue
        expect(verify(token.slice(0, position) + changed + token.slice(position + 1))).toBeUndefined()
      }
    }
    expect(verify(token)).toEqual(admin)
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a dot', '.'],
    ['JSON', JSON.stringify({ actor: admin, expiresAt: 9e15 })],
    ['two tokens', `${sign(customer)}, ${sign(admin)}`],
    ['a token of another key', actorSigner(createActorKeys().privateKey, clock)(admin)],
    ['the halves of two tokens', `${sign(admin).split('.')[0]}.${sign(customer).split('.')[1]}`],
    ['10 kB', 'A'.repeat(10_000)],
  ])('is not valid when it is %s', (_what, token) => {
    expect(verify(token)).toBeUndefined()
  })
})
