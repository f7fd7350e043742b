const CM_PER_INCH = 2.54
const DECIMAL = /^\s*\d+(?:\.\d+)?\s*$/

export interface BothUnits {
  cm: number
  in: number
}

/** @returns undefined for other units, which are shown as they are */
export function unitOf(unit: string): 'cm' | 'in' | undefined {
  const name = unit.trim().toLowerCase()
  if (name === 'cm') return 'cm'
  return ['in', 'inch', 'inches', '"', '″'].includes(name) ? 'in' : undefined
}

/** @returns the measurement in both units, the converted one with one decimal; undefined for what is not a number */
export function inBothUnits(cell: string | number, unit: 'cm' | 'in'): BothUnits | undefined {
  if (typeof cell === 'string' && !DECIMAL.test(cell)) return undefined
  const value = Number(cell)
  if (!Number.isFinite(value)) return undefined
  if (unit === 'cm') return { cm: value, in: oneDecimal(value / CM_PER_INCH) }
  return { cm: oneDecimal(value * CM_PER_INCH), in: value }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}
