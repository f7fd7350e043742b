import { expect, test } from 'vitest'
import { pruneSchemas } from './prune-schemas.ts'

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('a schema that only an unused schema refers to is removed, one at the end of a chain is kept', () => {
  const schemas = {
    Cart: { properties: { lines: { items: reference('Line') } } },
    Line: { properties: { price: reference('Money'), cart: reference('Cart') } },
    Money: {},
    Unused: reference('UsedByUnused'),
    UsedByUnused: {},
  }
  const kept = pruneSchemas(schemas, [{ '/carts': { get: { schema: reference('Cart') } } }])
  expect(Object.keys(kept)).toEqual(['Cart', 'Line', 'Money'])
})

test('a reference to another component does not count as one to a schema', () => {
  expect(pruneSchemas({ Cart: {} }, [{ $ref: '#/components/responses/Cart' }])).toEqual({})
})
