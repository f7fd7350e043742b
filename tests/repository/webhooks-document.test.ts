import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { WEBHOOK_TEST_TYPE, WEBHOOK_TYPES } from '@storefront/contracts'
import { readText } from './source-files.ts'

const Schema = z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) })

const text = readText('docs/webhooks.md')
const rows = text
  .split('\n')
  .filter((line) => line.includes('webhook-schemas/'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()))

describe('docs/webhooks.md', () => {
  test('names every type with its schema, in the order of the contracts', () => {
    expect(rows.map(([type]) => type)).toEqual(
      [...WEBHOOK_TYPES, WEBHOOK_TEST_TYPE].map(
        (type) => `[\`${type}\`](../packages/contracts/webhook-schemas/${type}.json)`,
      ),
    )
  })

  test.each([...WEBHOOK_TYPES, WEBHOOK_TEST_TYPE])('names the fields of %s as its schema has them', (type) => {
    const { properties, required } = Schema.parse(
      JSON.parse(readText(`packages/contracts/webhook-schemas/${type}.json`)),
    )
    const [, when = '', fields = ''] = rows.find(([name]) => name?.startsWith(`[\`${type}\`]`)) ?? []
    expect(when.length).toBeGreaterThan(10)
    const named = [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(['id', 'type', 'at', ...named]).toEqual(Object.keys(properties))
    expect(required).toEqual(Object.keys(properties))
  })
})
