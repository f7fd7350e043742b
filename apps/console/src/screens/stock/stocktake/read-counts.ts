/** What was counted of one SKU. */
export interface Count {
  sku: string
  quantity: number
}

/** A line that is not a count, by its number, from 1. */
export interface CountFault {
  line: number
  kind: 'columns' | 'quantity' | 'repeated'
  text: string
}

export const MAX_COUNTS = 2000
const SEPARATOR = /[,;\t]/

/** Reads lines of `sku,quantity`, separated by a comma, a semicolon or a tab. A heading and empty lines are skipped. */
export function readCounts(text: string): { counts: Count[]; faults: CountFault[] } {
  const counts = new Map<string, number>()
  const faults: CountFault[] = []
  for (const [index, content] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (content.trim() === '') continue
    const [sku = '', quantity = '', ...others] = content.split(SEPARATOR).map(unquoted)
    const fault = (kind: CountFault['kind']) => faults.push({ line: index + 1, kind, text: content })
    const isNumber = /^\d{1,9}$/.test(quantity)
    if (!isNumber && counts.size === 0 && faults.length === 0 && /^[^\d]+$/.test(quantity)) continue
    if (sku === '' || quantity === '' || others.some((other) => other !== '')) fault('columns')
    else if (!isNumber) fault('quantity')
    else if (counts.has(sku)) fault('repeated')
    else counts.set(sku, Number(quantity))
  }
  return { counts: [...counts].map(([sku, quantity]) => ({ sku, quantity })), faults }
}

function unquoted(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
}
