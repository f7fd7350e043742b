import { describe, expect, test } from 'vitest'
import { ProductUpdated } from '@storefront/contracts'
import { newestOfEach } from './newest-of-each.ts'
import { productUpdated } from './webhook-contents.ts'

const at = '2026-03-02T10:00:00.000Z'
const event = (id: string, data: Parameters<typeof productUpdated>[0]) => ({
  received: { id, name: ProductUpdated.name, at },
  content: productUpdated(data),
})

describe('of a product that changed again and again', () => {
  const product = { productId: 'prod_1', slug: 'linen', version: 1 }

  test('only the newest event is left', () => {
    const kept = newestOfEach([
      event('evt_2', { ...product, version: 2 }),
      event('evt_1', product),
      event('evt_3', { ...product, slug: 'flax', version: 3 }),
    ])
    expect(kept).toEqual([{ ...event('evt_3', { ...product, slug: 'flax', version: 3 }), mergedEvents: 2 }])
  })

  test('a former address is sent beside the current one', () => {
    const kept = newestOfEach([
      event('evt_1', product),
      event('evt_2', { ...product, slug: 'flax', version: 2 }),
      event('evt_3', { ...product, version: 2, former: true }),
    ])
    expect(kept.map(({ content }) => content.fields)).toEqual([{ slug: 'flax' }, { slug: 'linen' }])
  })
})
