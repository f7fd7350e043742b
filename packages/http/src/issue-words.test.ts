import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldIssues } from './index.ts'

const issuesOf = (schema: z.ZodType, value: unknown) => fieldIssues(schema.safeParse(value).error?.issues)
const wordsOf = (schema: z.ZodType, value: unknown) => issuesOf(schema, value).map(({ message }) => message)

test.each([
  [z.string(), undefined, 'is missing'],
  [z.enum(['a', 'b']), undefined, 'must be one of "a", "b"'],
  [z.union([z.string(), z.number()]), undefined, 'is missing'],
  [z.string(), 5, 'must be a string, not a number'],
  [z.number(), null, 'must be a number, not null'],
  [z.number(), '5', 'must be a number, not a string'],
  [z.object({}), [], 'must be an object, not an array'],
  [z.record(z.string(), z.string()), 'x', 'must be an object, not a string'],
  [z.array(z.string()), {}, 'must be an array, not an object'],
  [z.boolean(), 'yes', 'must be true or false, not a string'],
  [z.string(), false, 'must be a string, not false'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.string().max(100), 'x'.repeat(101), 'must have at most 100 characters'],
  [z.string().min(8), 'x', 'must have at least 8 characters'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().length(3), 'x', 'must have exactly 3 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.number().max(999), 1000, 'must be at most 999'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().lt(3), 3, 'must be less than 3'],
  [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
  [z.enum(['merge', 'replace']), 'x', 'must be one of "merge", "replace"'],
  [z.literal(1), 2, 'must be 1'],
  [z.email(), 'x', 'must be a valid email address'],
  [z.iso.datetime(), 'x', 'must be a time such as 2026-03-01T09:30:00.000Z'],
  [z.string().regex(/^a/), 'x', 'must match the pattern /^a/'],
  [z.union([z.string(), z.number()]), true, 'has none of the forms that are allowed here'],
  [z.strictObject({}), { x: 1 }, 'Unknown field `x`.'],
])('an issue says what a value must be: %#', (schema, value, words) => {
  expect(wordsOf(schema, value)).toEqual([words])
})

test('a schema keeps the message of its own', () => {
  expect(wordsOf(z.string().max(3, 'must be short'), 'long')).toEqual(['must be short'])
})

test('a number beyond all limits has one issue, with the limit of its field', () => {
  const schema = z.object({ price: z.object({ amount: z.int().max(1000) }), count: z.int() })
  expect(issuesOf(schema, { price: { amount: 1e18 }, count: 1e18 })).toEqual([
    { path: 'price.amount', message: 'must be at most 1000' },
    { path: 'count', message: `must be at most ${Number.MAX_SAFE_INTEGER}` },
  ])
})

test('the same issue of one field is listed once', () => {
  const twice = z.string().refine(() => false, 'must rhyme')
  expect(
    wordsOf(
      twice.refine(() => false, 'must rhyme'),
      'x',
    ),
  ).toEqual(['must rhyme'])
})
