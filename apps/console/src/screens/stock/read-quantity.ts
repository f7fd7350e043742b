import type { TFunction } from 'i18next'
import { MAX_UNITS } from '../../parts/amounts.ts'
import { numeral } from '../../parts/formats.ts'

/** What a person wants to do with the units that can be bought. */
export type QuantityChange = { set: number } | { add: number }

/** Why it cannot be done: what was typed is not a quantity, or the result is below 0 or more than the shop stores. */
export type QuantityFault = 'unreadable' | 'tooFew' | 'tooMany'

/** Reads what was typed into a quantity: `12` sets it, `+5` and `-3` change it. */
export function readQuantity(text: string, available: number): QuantityChange | { fault: QuantityFault } {
  const [, sign = '', digits = ''] = /^([+\-−]?)(\d+)$/.exec(text.replaceAll(/\s/g, '')) ?? []
  if (digits === '') return { fault: 'unreadable' }
  const change = sign === '' ? { set: Number(digits) } : { add: sign === '+' ? Number(digits) : -Number(digits) }
  const after = afterChange(change, available)
  if (after < 0) return { fault: 'tooFew' }
  return after > MAX_UNITS ? { fault: 'tooMany' } : change
}

/** The sentence for a quantity that cannot be saved. */
export function faultText(t: TFunction, fault: QuantityFault, available: number): string {
  return t(`stock.quantityFault.${fault}`, { available: numeral(available), most: numeral(MAX_UNITS) })
}

/** @returns the units that can be bought after the change */
export function afterChange(change: QuantityChange, available: number): number {
  return 'set' in change ? change.set : available + change.add
}
