import { expect } from 'vitest'
import { ledgerFaults } from '../ledger.queries.ts'
import type { Suite } from './suite.ts'

/** Checks for every variant that its ledger, stock and reservations agree. */
export async function expectLedgerBalanced({ sql }: Pick<Suite, 'sql'>): Promise<void> {
  expect(await sql(ledgerFaults), 'variants whose ledger, stock and reservations disagree').toEqual([])
}
