import { replaceCells } from '@storefront/contracts/product-csv'
import type { Fault } from './faults.ts'

/** What a person has typed into cells of the file, by where the cells begin. */
export type Corrections = ReadonlyMap<number, string>

/** The text of the file with the corrections in it. */
export function corrected(text: string, faults: readonly Fault[], corrections: Corrections): string {
  // Two faults of one cell are one correction.
  const cells = new Map(faults.flatMap(({ cell }) => (cell ? [[cell.start, cell]] : [])))
  return replaceCells(
    text,
    new Map(
      [...corrections].flatMap(([start, value]) => {
        const cell = cells.get(start)
        return cell ? [[cell, value]] : []
      }),
    ),
  )
}
