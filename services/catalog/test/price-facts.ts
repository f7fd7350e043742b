import type { Redis } from 'ioredis'
import { PRICE_FIELDS, priceEntryKey, PriceFacts } from '@storefront/contracts'
import type { Suite } from '@storefront/tools/testing'

/** What the price projection has about a variant beside its stock. */
export async function projectedFacts(redis: Redis, suite: Suite, variantId: string): Promise<PriceFacts | undefined> {
  const text = await redis.hget(priceEntryKey(suite.namespace, variantId), PRICE_FIELDS.facts)
  return text === null ? undefined : PriceFacts.parse(JSON.parse(text))
}
