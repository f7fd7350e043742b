import type { CsvAttributes, CsvChoices, CsvTarget } from '@storefront/contracts/product-csv'
import { member, parsed } from '../../parts/json.ts'
import { allTargets, headerKey } from './column-meanings.ts'

const STORED = 'console-import-columns'
const MAX_FILES = 20
const LONGEST_HEADER = 20_000

interface Remembered {
  header: string
  choices: [string, CsvTarget | null][]
}

/** What the merchant chose for a file with the same columns before. */
export function rememberedChoices(header: readonly string[], attributes: CsvAttributes): CsvChoices {
  const key = headerKey(header)
  return new Map(stored(attributes).find((each) => each.header === key)?.choices)
}

export function rememberChoices(header: readonly string[], choices: CsvChoices, attributes: CsvAttributes): void {
  const key = headerKey(header)
  if (key.length > LONGEST_HEADER) return
  const others = stored(attributes).filter((each) => each.header !== key)
  const next = choices.size === 0 ? others : [{ header: key, choices: [...choices] }, ...others]
  localStorage.setItem(STORED, JSON.stringify(next.slice(0, MAX_FILES)))
}

/** Without meanings that there are no longer: an attribute may have been deleted. */
function stored(attributes: CsvAttributes): Remembered[] {
  const targets = new Map<unknown, CsvTarget>(allTargets(attributes).map((target) => [target, target]))
  return listIn(parsed(localStorage.getItem(STORED) ?? '')).flatMap((each) => {
    const header = member(each, 'header')
    if (typeof header !== 'string') return []
    const choices = listIn(member(each, 'choices')).flatMap((pair): Remembered['choices'] => {
      const [name, meaning] = listIn(pair)
      const target = meaning === null ? null : targets.get(meaning)
      return typeof name === 'string' && target !== undefined ? [[name, target]] : []
    })
    return [{ header, choices }]
  })
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
