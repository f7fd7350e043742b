import { amount } from '@storefront/tools/testing'
import {
  array,
  assert,
  constantFrom,
  dictionary,
  letrec,
  object,
  oneof,
  property,
  string,
  type Arbitrary,
} from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { CREDENTIAL_KEYS, StorefrontConfiguration } from '@storefront/contracts'
import { inClientShapes } from './client-shapes.ts'
import { pathsOfSecrets } from './misplaced-secrets.ts'
import { configurationOf, storedCurrencyOf } from './stored-settings.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })

/** JSON with names and values that have a meaning here, and others. */
const { tree } = letrec((tie) => ({
  tree: oneof(
    { maxDepth: 6, withCrossShrink: true },
    leaf(),
    array(tie('tree'), { maxLength: 4 }),
    holder(tie('tree')),
  ),
}))

function leaf() {
  return constantFrom<unknown>('text', '', 5, -1, 1.5, true, null, usd(5), { type: 'hero' }, { code: 'US' })
}

function holder(inner: Arbitrary<unknown>) {
  const names = Object.keys(StorefrontConfiguration.shape)
  const deeper = ['logo', 'wordmark', 'primary', 'footer', 'announcement', 'messages', 'shippingMethods', 'price', 'id']
  return dictionary(constantFrom(...names, ...deeper, ...CREDENTIAL_KEYS, 'tax', 'rates', 'source', 'own'), inner, {
    maxKeys: 8,
  })
}

describe('a configuration that was stored under other rules', () => {
  test.each<[string, unknown, unknown]>([
    ['a text in place of a logo', { store: { name: 'A', logo: 'x' } }, { store: { name: 'A' } }],
    ['a number in place of a mark', { store: { logo: { wordmark: 5, own: 1 } } }, { store: { logo: { own: 1 } } }],
    [
      'invalid items between valid ones',
      { promises: [5, 'slow', [], { title: 'Mended' }, null] },
      { promises: [{ title: 'slow' }, { title: 'Mended' }] },
    ],
    [
      'an object in place of a list',
      { navigation: { primary: {}, footer: [{ label: 'Help' }], announcement: { messages: 'x' } } },
      { navigation: { footer: [{ title: 'Help' }], announcement: {} } },
    ],
    ['a section without a type', { home: [{ title: 'x' }, { type: 'hero' }] }, { home: [{ type: 'hero' }] }],
    [
      'a method with an invalid price, and one without a price',
      {
        commerce: {
          shippingMethods: [
            { id: 'a', price: { amount: 1.5, currency: 'USD' } },
            { id: 'b', price: usd(500) },
            { id: 'c' },
          ],
        },
      },
      { commerce: { shippingMethods: [{ id: 'b', price: 500 }] } },
    ],
    ['a text in place of the pricing', { pricing: 'USD', own: 'kept' }, { own: 'kept' }],
    [
      'an invalid switch beside a valid one',
      { notifications: { events: { shipped: false, refunded: 'no' }, smtp: { host: 'mail', port: 'x' } } },
      { notifications: { events: { shipped: false }, smtp: { host: 'mail' } } },
    ],
    ['no document at all', 'x', {}],
    [
      'secrets, wherever they are and however they are spelled',
      {
        smtpPassword: 'x',
        checkout: { mode: 'demo', RAZORPAY_KEY_SECRET: 'x' },
        own: [{ stripeSecretKey: 'x', a: 1 }],
      },
      { checkout: { mode: 'demo' }, own: [{ a: 1 }] },
    ],
  ])('is read without %s', (_fault, stored, read) => {
    expect(configurationOf(stored)).toEqual(read)
  })

  test('is readable and valid, and unchanged when it already was', () => {
    assert(
      property(oneof(tree, object(), string()), (stored) => {
        const json: unknown = JSON.parse(JSON.stringify(stored))
        const read = configurationOf(json)
        expect(StorefrontConfiguration.parse(read)).toEqual(read)
        expect(pathsOfSecrets(read)).toEqual([])
        expect(configurationOf(read)).toEqual(read)
        const parsed = StorefrontConfiguration.safeParse(inClientShapes(json, storedCurrencyOf(json)))
        const isSound = parsed.success && pathsOfSecrets(json).length === 0
        expect(read).toEqual(isSound ? parsed.data : read)
      }),
      { numRuns: amount({ quick: 160, long: 2000 }) },
    )
  })

  test('is read in the same number of steps, however many faults it has', () => {
    const parsings = (faults: number) => {
      const promises = Array.from({ length: 2 * faults }, (_, index) => (index % 2 === 0 ? index : 'slow'))
      const parsed = vi.spyOn(StorefrontConfiguration, 'safeParse')
      try {
        expect(configurationOf({ promises }).promises).toHaveLength(faults)
        return parsed.mock.calls.length
      } finally {
        parsed.mockRestore()
      }
    }
    expect(parsings(10)).toBe(2)
    expect(parsings(10_000)).toBe(2)
  })
})
