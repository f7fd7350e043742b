import { describe, expect, test } from 'vitest'
import { chooseFitting } from './choose-fitting.ts'

const named = (...sizes: (number | null)[]) =>
  sizes.map((bytes, index) => ({ name: `slug-${index}`, id: `prod_${index}`, bytes }))

describe('a reply with products', () => {
  test('contains as many as fit, and names the remaining ones', () => {
    expect(chooseFitting(named(150_000, 200_000, 100_000, 50_000))).toEqual({
      chosen: ['prod_0', 'prod_1', 'prod_3'],
      left: ['slug-2'],
    })
    expect(chooseFitting([])).toEqual({ chosen: [], left: [] })
  })

  test('contains a single product that is larger than the usual limit', () => {
    expect(chooseFitting(named(900_000, 10))).toEqual({ chosen: ['prod_0'], left: ['slug-1'] })
    expect(chooseFitting(named(10, 900_000))).toEqual({ chosen: ['prod_0'], left: ['slug-1'] })
  })

  test('neither contains nor leaves a product that is not shown or does not fit into a message', () => {
    expect(chooseFitting(named(null, 10))).toEqual({ chosen: ['prod_1'], left: [] })
    expect(chooseFitting(named(1_100_000, 10))).toEqual({ chosen: ['prod_1'], left: [] })
    expect(chooseFitting(named(1_100_000))).toEqual({ chosen: [], left: [] })
  })

  test('contains a product once, however many of its names were requested', () => {
    const [one] = named(300_000)
    expect(chooseFitting(one ? [one, { ...one, name: 'former' }] : [])).toEqual({ chosen: ['prod_0'], left: [] })
  })

  test('is complete after some requests, for any list', () => {
    const all = named(...Array.from({ length: 200 }, (_, index) => (index * 7919) % 1_200_000))
    const received: string[] = []
    let responses = 0
    for (let open = all; open.length > 0; responses++) {
      const { chosen, left } = chooseFitting(open)
      received.push(...chosen)
      expect(left.length).toBeLessThan(open.length)
      open = open.filter(({ name }) => left.includes(name))
    }
    expect(responses).toBeGreaterThan(1)
    // A product of more than a megabyte does not fit into a message.
    const sendable = all.filter(({ bytes }) => (bytes ?? 0) <= 1_000_000)
    expect(received.toSorted()).toEqual(sendable.map(({ id }) => id).toSorted())
  })
})
