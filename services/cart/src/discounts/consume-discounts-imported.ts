import { consume, type Consumer } from '@storefront/messaging'
import { DiscountsImported, type ReceivedEvent } from '@storefront/contracts'
import type { z } from 'zod'
import type { CartContext } from '../context.ts'
import type { Tx } from '../database.ts'
import {
  applyDiscounts,
  endImport,
  isSuperseded,
  lockDiscountImports,
  openImport,
  removeOtherDiscounts,
  savePart,
} from './imports.queries.ts'

/**
 * Discounts of an import take effect when all their parts have arrived, in whatever order. Of two imports the later one
 * wins: an earlier one that is complete after it changes only the discounts that the later one did not contain.
 */
export function consumeDiscountsImported(context: CartContext): Consumer {
  return consume(context, DiscountsImported, async (tx, events) => {
    await lockDiscountImports(tx)
    for (const event of events) await receivePart(tx, event, context.clock.now())
  })
}

async function receivePart(
  tx: Tx,
  { data, at }: ReceivedEvent<z.output<typeof DiscountsImported.data>>,
  now: Date,
): Promise<void> {
  const { number, mode, parts, actor = 'unknown' } = data
  if (!(await openImport(tx, data, new Date(at)))) return
  if ((await savePart(tx, data)) < parts) return
  if (!(await isSuperseded(tx, number))) {
    const imported = { number, mode, at: new Date(at), actor, now }
    await applyDiscounts(tx, imported)
    if (mode === 'replace') await removeOtherDiscounts(tx, imported)
  }
  await endImport(tx, number, now)
}
