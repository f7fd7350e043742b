import { newId, type ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { builtInVocabulary } from './built-in-vocabulary.ts'
import { countAttributes, learnValues } from './learn-attributes.queries.ts'
import { labelOf } from './merge-vocabulary.ts'

/** Limits the suggestions, because a merchant's program may write any number of values. */
const MAX_KEYS = 1000
const MAX_VALUES = 200
/** Longer ones could not be saved in the library either. */
const MAX_KEY_LENGTH = 100
const MAX_VALUE_LENGTH = 500
/** The section of the specification table for attributes that a store has added. */
const GROUP = 'details'

const BUILT_IN = new Set(builtInVocabulary.items.map((item) => item.key))

/**
 * Makes suggestions from the highlights and specifications of products: an unknown key becomes an attribute of the
 * store's library, and every value found for it is added to it.
 * @returns whether any were added
 */
export async function learnAttributes(tx: Tx, products: readonly Pick<ProductInput, 'enrichment'>[]): Promise<boolean> {
  const valuesByKey = new Map<string, Set<string>>()
  for (const [key, value] of products.flatMap(pairsOf)) {
    if (BUILT_IN.has(key) || !isUsable(key, MAX_KEY_LENGTH) || !isUsable(value, MAX_VALUE_LENGTH)) continue
    const values = valuesByKey.get(key) ?? new Set()
    valuesByKey.set(key, values.add(value))
  }
  if (valuesByKey.size === 0) return false
  const room = Math.max(0, MAX_KEYS - (await countAttributes(tx)))
  return learnValues(
    tx,
    [...valuesByKey].map(([key, values]) => ({
      id: newId('libraryItem'),
      key,
      label: labelOfKey(key),
      group: GROUP,
      values: [...values].slice(0, MAX_VALUES),
    })),
    { newKeys: room, values: MAX_VALUES },
  )
}

function pairsOf({ enrichment }: Pick<ProductInput, 'enrichment'>): [key: string, value: string][] {
  const highlights = (enrichment?.highlights ?? []).map(({ key, value }): [string, string] => [key, value])
  return [...highlights, ...Object.entries(enrichment?.specs ?? {})]
}

function isUsable(text: string, maxLength: number): boolean {
  return text.length <= maxLength && /\S/.test(text)
}

/** `collarStyle` and `collar_style` become `Collar style`. */
function labelOfKey(key: string): string {
  const label = labelOf(key.replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' '))
  return label.replaceAll(/(?<= )\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
}
