import { replyTo, consume } from '@storefront/messaging'
import { createDatabase } from '@storefront/postgres'
import { DiscountInput, DiscountsImported, ListDiscounts } from '@storefront/contracts'
import type { Suite } from '@storefront/tools/testing'

/** The simulated cart service: it stores discounts, lists them, and consumes imports. */
export interface FakeCart {
  discounts: Map<string, DiscountInput>
  put(...discounts: object[]): void
  stop(): Promise<void>
}

export async function startFakeCart(suite: Suite): Promise<FakeCart> {
  const { log } = suite
  await suite.addConsumersOf('cart')
  const messaging = await suite.openMessaging('cart')
  const db = createDatabase({ url: suite.databaseUrl('catalog'), poolSize: 2, name: 'cart', log })
  const discounts = new Map<string, DiscountInput>()
  const parts = new Map<number, DiscountInput[][]>()
  const [row] = await suite.sql<{ number: number }>('select last_number::int as number from catalog.discount_imports')
  let imported = row?.number ?? 0

  replyTo({ messaging, log, verifyActor: () => undefined }, ListDiscounts, async ({ after = '', limit }) => {
    const remaining = [...discounts.values()]
      .filter(({ code }) => code > after)
      .toSorted((one, other) => (one.code < other.code ? -1 : 1))
    const page = remaining.slice(0, limit)
    const last = page.at(-1)
    return { discounts: page, ...(last && remaining.length > limit && { next: last.code }), imported }
  })
  const consumer = consume({ db, messaging, log }, DiscountsImported, async (_tx, events) => {
    for (const { data } of events) {
      const received = [...(parts.get(data.number) ?? []), data.discounts]
      parts.set(data.number, received)
      if (received.length < data.parts) continue
      if (data.mode === 'replace') discounts.clear()
      for (const discount of received.flat()) discounts.set(discount.code, discount)
      imported = data.number
    }
  })
  // Replies are subscribed to in the turn after `opened`: a flush before it would not wait for them.
  await (await messaging.opened).flush()
  return {
    discounts,
    put(...given) {
      for (const each of given.map((discount) => DiscountInput.parse(discount))) discounts.set(each.code, each)
    },
    async stop() {
      await consumer.stop()
      await messaging.close()
      await db.destroy()
    },
  }
}
