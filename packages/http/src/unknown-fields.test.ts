import { declareReadOnly } from '@storefront/contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compareFields } from './unknown-fields.ts'

const Money = z.object({ amount: z.int(), currency: z.string() })
const Variant = z.object({ sku: z.string().optional(), price: Money.nullish() })
declareReadOnly(Variant, { live: ['available'] })
const Product = z.object({
  title: z.string(),
  price: z.union([z.int(), Money]).optional(),
  variants: z.array(Variant).default([]),
  swatches: z.record(z.string(), z.object({ hex: z.string() })).optional(),
  photo: z.preprocess((value) => value, z.object({ url: z.string() })).optional(),
  tags: z
    .array(z.string())
    .transform((tags) => tags.length)
    .optional(),
  extra: z.looseObject({ known: Money }).optional(),
  cells: z.tuple([z.object({ a: z.int() })]).optional(),
  section: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('hero'), title: z.string() }),
      z.object({ type: z.literal('rail'), source: z.string() }),
    ])
    .optional(),
})
declareReadOnly(Product, { fixed: ['id'], live: ['rating'] })

const unknownIn = (value: unknown) => compareFields(Product, value).unknown.map(({ path }) => path)

describe('names that a schema does not have', () => {
  test.each<[string, unknown, string[]]>([
    ['at the top', { title: 'A', colour: 1 }, ['colour']],
    ['in an object of a list', { variants: [{}, { price: { amount: 1, cents: 2 } }] }, ['variants.1.price.cents']],
    ['in the values of a record', { swatches: { Navy: { hex: '#000', rgb: 1 } } }, ['swatches.Navy.rgb']],
    ['behind a union', { price: { amount: 1, currency: 'USD', value: 1 } }, ['price.value']],
    ['behind a transform', { photo: { url: 'x', href: 'y' } }, ['photo.href']],
    ['inside a loose object', { extra: { own: 1, known: { amount: 1, cents: 1 } } }, ['extra.known.cents']],
    ['in a tuple', { cells: [{ a: 1, b: 2 }] }, ['cells.0.b']],
    ['of the shape that is meant', { section: { type: 'rail', source: 'x', title: 'y' } }, ['section.title']],
    ['although their values are null', { colour: null }, ['colour']],
    ['that are built-in properties of objects', { constructor: 1, toString: 2 }, ['constructor', 'toString']],
  ])('are found %s', (_where, value, paths) => {
    expect(unknownIn(value)).toEqual(paths)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'title'],
    ['a list in place of an object', ['title']],
    ['a number in place of money', { price: 5 }],
    ['values that are undefined', { colour: undefined }],
  ])('are not found in %s', (_what, value) => {
    expect(unknownIn(value)).toEqual([])
  })

  test('are reported with the names that are allowed in their place', () => {
    expect(compareFields(Product, { variants: [{ stock: 3 }] }).unknown).toEqual([
      { path: 'variants.0.stock', allowed: ['sku', 'price'] },
    ])
  })

  test('are limited to a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]))
    expect(unknownIn(many)).toHaveLength(100)
  })

  test('are reported apart from those that a response contains and a write cannot set', () => {
    expect(compareFields(Product, { rating: { average: 5 }, variants: [{ available: true }] })).toEqual({
      unknown: [],
      sentBack: [
        { path: 'rating', kind: 'live', value: { average: 5 } },
        { path: 'variants.0.available', kind: 'live', value: true },
      ],
    })
  })
})
