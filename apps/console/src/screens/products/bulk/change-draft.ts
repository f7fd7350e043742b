import type { BulkChange } from './bulk-queries.ts'

/** What a merchant wants to do to the selected products. */
export type BulkActionName = 'sale' | 'price' | 'end-sale' | 'publish' | 'hide' | 'tags' | 'categories'

/** What is entered, as it is typed. */
interface ChangeDraft {
  direction: 'lower' | 'raise'
  /** A text while it is empty or not yet a number, such as `12.`. */
  percent: number | string
  /** The last two digits of the new amounts; undefined for exact ones. */
  endsIn: number | undefined
  /** Whether the price before stays visible, struck through. */
  keepsFormer: boolean
  add: string[]
  remove: string[]
}

/** What the fields of every bulk edit take. */
export interface ChangeFieldsProps {
  draft: ChangeDraft
  onChange: (fields: Partial<ChangeDraft>) => void
}

export function emptyDraft(action: BulkActionName): ChangeDraft {
  return {
    direction: 'lower',
    percent: '',
    endsIn: undefined,
    keepsFormer: action === 'sale',
    add: [],
    remove: [],
  }
}

/** @returns undefined while something is missing */
export function changeOf(action: BulkActionName, draft: ChangeDraft): BulkChange | undefined {
  if (action === 'end-sale') return { kind: 'end-sale' }
  if (action === 'publish' || action === 'hide') return { kind: 'published', published: action === 'publish' }
  if (action === 'sale' || action === 'price') return priceChangeOf(draft)
  const { add, remove } = draft
  return add.length + remove.length === 0 ? undefined : { kind: action, add, remove }
}

const LOWEST = 0.01
const HIGHEST_CUT = 99.99
const HIGHEST_RISE = 1000

/** The most that the shop's prices can be lowered or raised at once, in percent. */
export function highestPercent({ direction }: Pick<ChangeDraft, 'direction'>): number {
  return direction === 'lower' ? HIGHEST_CUT : HIGHEST_RISE
}

function priceChangeOf(draft: ChangeDraft): BulkChange | undefined {
  const { direction, percent, endsIn, keepsFormer } = draft
  if (typeof percent === 'string' || percent < LOWEST || percent > highestPercent(draft)) return undefined
  return {
    kind: 'price',
    percent: direction === 'lower' ? -percent : percent,
    ...(endsIn !== undefined && { endsIn }),
    keepAsCompareAt: direction === 'lower' && keepsFormer,
  }
}
