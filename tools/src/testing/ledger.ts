import { expect } from 'vitest'
import { LEDGER_FAULTS } from '../ledger-faults.ts'
import type { Suite } from './suite.ts'

/** Checks of every variant that its ledger, its stock and its reservations agree. */
export async function expectLedgerBalanced({ sql }: Pick<Suite, 'sql'>): Promise<void> {
  expect(await sql(LEDGER_FAULTS), 'variants whose ledger, stock and reservations disagree').toEqual([])
}
