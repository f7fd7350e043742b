import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { parsed } from '../../parts/json.ts'
import type { ImportFile } from './import-file.ts'
import { NDJSON_TYPE } from './import-types.ts'

/** Lists of a JSON file, and types of the lines of an NDJSON file, as the result of an import names them. */
const KINDS = {
  products: 'products',
  product: 'products',
  categories: 'categories',
  category: 'categories',
  collections: 'collections',
  collection: 'collections',
  sizeCharts: 'sizeCharts',
  sizeChart: 'sizeCharts',
  reviews: 'reviews',
  review: 'reviews',
  discounts: 'discounts',
  discount: 'discounts',
} as const
type Kind = (typeof KINDS)[keyof typeof KINDS]

/** @returns what a file holds, in words; an empty text while that is not known */
export function useContents(file: ImportFile): string {
  const { t } = useTranslation()
  const counts = useMemo(() => countsOf(file), [file])
  if (!file.isWhole) return t('import.contents.long')
  return [...counts].map(([kind, count]) => t(`import.contents.${kind}`, { count })).join(' · ')
}

function countsOf({ type, text, isWhole }: ImportFile): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>()
  if (!isWhole) return counts
  const add = (name: string, count: number): void => {
    if (isKind(name) && count > 0) counts.set(KINDS[name], (counts.get(KINDS[name]) ?? 0) + count)
  }
  if (type === NDJSON_TYPE) for (const line of text.split('\n')) add(typeIn(line), 1)
  else for (const [name, list] of membersIn(text)) add(name, Array.isArray(list) ? list.length : 0)
  return counts
}

function isKind(name: string): name is keyof typeof KINDS {
  return Object.hasOwn(KINDS, name)
}

function typeIn(line: string): string {
  return /"type"\s*:\s*"(\w+)"/.exec(line.slice(0, 200))?.[1] ?? ''
}

/** None in a text that is not JSON: the check says what is wrong with it. */
function membersIn(text: string): [string, unknown][] {
  const document = parsed(text)
  return typeof document === 'object' && document !== null ? Object.entries(document) : []
}
