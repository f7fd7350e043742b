import { expect, test } from 'vitest'
import { inOrderOfReferences } from './table-order.ts'

const table = (name: string) => ({ schema: 'orders', name })
const reference = (from: string, to: string) => ({ from: table(from), to: table(to) })
const names = (tables: { name: string }[]) => tables.map(({ name }) => name)

test('each table comes after those that its rows refer to', () => {
  const references = [
    reference('refunds', 'payments'),
    reference('payments', 'orders'),
    reference('categories', 'categories'),
  ]
  const ordered = inOrderOfReferences(['refunds', 'payments', 'categories', 'orders'].map(table), references)
  expect(names(ordered)).toEqual(['categories', 'orders', 'payments', 'refunds'])
})

test('tables that refer to each other in a cycle are named in the error', () => {
  const cycle = [reference('a', 'b'), reference('b', 'a')]
  expect(() => inOrderOfReferences([table('a'), table('b'), table('c')], cycle)).toThrow('in a cycle: a, b')
})
