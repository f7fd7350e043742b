/** What a person wants to do with the units that can be bought. */
export type QuantityChange = { set: number } | { add: number }

const MOST = 1_000_000_000

/**
 * Reads what was typed into a quantity: `12` sets it, `+5` and `-3` change it.
 * @returns undefined for anything else, also for a result below 0
 */
export function readQuantity(text: string, available: number): QuantityChange | undefined {
  const [, sign = '', digits = ''] = /^([+\-−]?)(\d{1,10})$/.exec(text.replaceAll(/\s/g, '')) ?? []
  if (digits === '') return undefined
  const amount = Number(digits)
  if (amount > MOST) return undefined
  if (sign === '') return { set: amount }
  const add = sign === '+' ? amount : -amount
  return available + add < 0 ? undefined : { add }
}

/** @returns the units that can be bought after the change */
export function afterChange(change: QuantityChange, available: number): number {
  return 'set' in change ? change.set : available + change.add
}
