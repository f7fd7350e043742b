import i18next, { type TFunction } from 'i18next'
import type { BulkEdit } from './bulk-queries.ts'

/** What a bulk edit does, in a few words. */
export function changeSentence(t: TFunction, { change }: BulkEdit, categoryNames: ReadonlyMap<string, string>): string {
  if (!change) return t('products.bulk.did.undo')
  if (change.kind === 'price') return priceSentence(t, change)
  if (change.kind === 'end-sale') return t('products.bulk.did.end-sale')
  if (change.kind === 'published') return t(change.published ? 'products.bulk.did.publish' : 'products.bulk.did.hide')
  if (change.kind === 'tags') return t('products.bulk.did.tags', { tags: listed(change, (tag) => tag) })
  return t('products.bulk.did.categories', { categories: listed(change, (slug) => categoryNames.get(slug) ?? slug) })
}

type PriceChange = Extract<NonNullable<BulkEdit['change']>, { kind: 'price' }>

function priceSentence(t: TFunction, { percent, endsIn, keepAsCompareAt }: PriceChange): string {
  const what = t(keepAsCompareAt ? 'products.bulk.did.sale' : 'products.bulk.did.price', {
    percent: percentText(percent),
  })
  return endsIn === undefined ? what : t('products.bulk.did.ending', { what, digits: digitsOf(endsIn) })
}

function percentText(percent: number): string {
  return new Intl.NumberFormat(i18next.language, {
    style: 'percent',
    signDisplay: 'always',
    maximumFractionDigits: 2,
  }).format(percent / 100)
}

/** The last digits of an amount, such as 05. */
export function digitsOf(endsIn: number): string {
  return String(endsIn).padStart(2, '0')
}

function listed(
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
  nameOf: (value: string) => string,
): string {
  return [...add.map((value) => `+ ${nameOf(value)}`), ...remove.map((value) => `− ${nameOf(value)}`)].join(', ')
}
