import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { breachesOf } from './compare-schemas.ts'

const schema = (data: z.ZodType) => z.toJSONSchema(z.object({ id: z.string(), data }), { io: 'output' })

const compare = (published: z.ZodType, next: z.ZodType) => breachesOf(schema(published), schema(next))

const Money = z.object({ amount: z.int(), currency: z.string() }).meta({ id: 'ComparedMoney' })
const WiderMoney = z.object({ amount: z.int(), currency: z.string(), note: z.string().optional() })
const OtherMoney = z.object({ amount: z.int() }).meta({ id: 'ComparedOtherMoney' })

describe('is compatible with the published schema:', () => {
  test.each<[what: string, published: z.ZodType, next: z.ZodType]>([
    ['the same schema', z.object({ a: z.string() }), z.object({ a: z.string() })],
    ['a new optional field', z.object({ a: z.string() }), z.object({ a: z.string(), b: z.int().optional() })],
    ['a new field with a default', z.object({}), z.object({ b: z.int().default(0) })],
    ['a new value', z.object({ a: z.enum(['x']) }), z.object({ a: z.enum(['x', 'y']) })],
    ['a constant that becomes one of several', z.object({ a: z.literal('x') }), z.object({ a: z.enum(['x', 'y']) })],
    ['a number that need not be whole', z.object({ a: z.int() }), z.object({ a: z.number() })],
    ['a wider bound', z.object({ a: z.string().max(5) }), z.object({ a: z.string().max(9) })],
    ['zero beside positive numbers', z.object({ a: z.int().positive() }), z.object({ a: z.int().nonnegative() })],
    ['no pattern', z.object({ a: z.string().regex(/^a/) }), z.object({ a: z.string() })],
    ['a new member of a union', z.object({ a: z.string() }), z.object({ a: z.union([z.string(), z.int()]) })],
    ['a named shape that is now inline', z.object({ a: Money }), z.object({ a: WiderMoney })],
    ['a union in another order', z.union([z.string(), z.int()]), z.union([z.int(), z.string()])],
  ])('%s', (_what, published, next) => {
    expect(compare(published, next)).toEqual([])
  })
})

describe('is incompatible with the published schema:', () => {
  test.each<[what: string, published: z.ZodType, next: z.ZodType, breach: RegExp]>([
    ['a removed field', z.object({ a: z.string(), b: z.int() }), z.object({ a: z.string() }), /data\.b was removed/],
    ['a removed optional field', z.object({ b: z.int().optional() }), z.object({}), /data\.b was removed/],
    ['a renamed field', z.object({ a: z.string() }), z.object({ b: z.string().optional() }), /data\.a was removed/],
    ['a new required field', z.object({}), z.object({ b: z.int() }), /data\.b is required now/],
    [
      'optional made required',
      z.object({ a: z.int().optional() }),
      z.object({ a: z.int() }),
      /data\.a is required now/,
    ],
    ['required made optional', z.object({ a: z.int() }), z.object({ a: z.int().optional() }), /data\.a may be missing/],
    ['another type', z.object({ a: z.int() }), z.object({ a: z.string() }), /data\.a was integer and is string/],
    ['a narrower type', z.object({ a: z.number() }), z.object({ a: z.int() }), /data\.a was number/],
    ['a removed type', z.object({ a: z.int() }), z.object({ a: z.unknown() }), /may be anything now/],
    [
      'a type where any value was allowed',
      z.object({ a: z.unknown() }),
      z.object({ a: z.int() }),
      /data\.a was anything and is integer/,
    ],
    ['a removed value', z.object({ a: z.enum(['x', 'y']) }), z.object({ a: z.enum(['x']) }), /data\.a may not be "y"/],
    ['certain values only', z.object({ a: z.string() }), z.object({ a: z.enum(['x']) }), /certain values/],
    ['another constant', z.object({ a: z.literal('x') }), z.object({ a: z.literal('y') }), /may not be "x" any more/],
    [
      'a removed member of a union',
      z.object({ a: z.string().nullable() }),
      z.object({ a: z.string() }),
      /data\.a was string or null and is string/,
    ],
    ['a lower maximum', z.object({ a: z.int().max(9) }), z.object({ a: z.int().max(5) }), /fewer numbers/],
    [
      'a minimum that excludes itself',
      z.object({ a: z.int().min(0) }),
      z.object({ a: z.int().gt(0) }),
      /fewer numbers/,
    ],
    ['a shorter text', z.object({ a: z.string() }), z.object({ a: z.string().max(9) }), /stricter maxLength/],
    ['a shorter list', z.object({ a: z.array(z.int()).max(9) }), z.object({ a: z.array(z.int()).max(5) }), /maxItems/],
    ['a pattern', z.object({ a: z.string() }), z.object({ a: z.string().regex(/^a/) }), /another pattern/],
    ['a format', z.object({ a: z.string() }), z.object({ a: z.string().meta({ format: 'uri' }) }), /another format/],
    [
      'a change in the elements of a list',
      z.object({ a: z.array(z.object({ b: z.int() })) }),
      z.object({ a: z.array(z.object({ c: z.int().optional() })) }),
      /data\.a\[\]\.b was removed/,
    ],
    [
      'a change in the values of a map',
      z.object({ a: z.record(z.string(), z.int()) }),
      z.object({ a: z.record(z.string(), z.string()) }),
      /data\.a\.\* was integer/,
    ],
    ['a change in a named shape', z.object({ a: Money }), z.object({ a: OtherMoney }), /data\.a\.currency was removed/],
    [
      'a change in one member of a union',
      z.discriminatedUnion('k', [z.object({ k: z.literal(1), b: z.int() }), z.object({ k: z.literal(2) })]),
      z.discriminatedUnion('k', [z.object({ k: z.literal(1) }), z.object({ k: z.literal(2) })]),
      /data\.b was removed/,
    ],
  ])('%s', (_what, published, next, breach) => {
    expect(compare(published, next)).toEqual([expect.stringMatching(breach)])
  })
})

test('recursive schemas are compared in finite time', () => {
  const tree = { $ref: '#/$defs/Tree' }
  const Tree = { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: tree } } }
  const shorter = { ...Tree, properties: { children: Tree.properties.children } }
  expect(breachesOf({ ...tree, $defs: { Tree } }, { ...tree, $defs: { Tree } })).toEqual([])
  expect(breachesOf({ ...tree, $defs: { Tree } }, { ...tree, $defs: { Tree: shorter } })[0]).toBe(
    'name was removed or renamed',
  )
})
