import { expect } from 'vitest'
import { ledgerFaults } from '../ledger.queries.ts'
import type { Suite } from './suite.ts'

/**
 * Checks of every variant that its movements add up to its stock, and that exactly what is held is reserved. One statement
 * sees one moment, so this holds at any time, whatever is under way.
 */
export async function expectLedgerBalanced({ sql }: Pick<Suite, 'sql'>): Promise<void> {
  expect(await sql(ledgerFaults), 'variants whose ledger, stock and reservations disagree').toEqual([])
}
