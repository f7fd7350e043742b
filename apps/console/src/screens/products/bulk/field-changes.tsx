import { List, Text } from '@mantine/core'
import { ArrowRightIcon } from '@radix-ui/react-icons'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney, type Money } from '../../../parts/money.ts'
import type { BulkSample } from './bulk-queries.ts'

const SHOWN_VARIANTS = 3

interface Line {
  key: string
  label: string
  before: string
  after: string
}

/** The fields of a product that would change, before and after. */
export function FieldChanges({
  sample,
  categoryNames,
}: {
  sample: BulkSample
  categoryNames: ReadonlyMap<string, string>
}): ReactNode {
  const { t } = useTranslation()
  const more = (sample.after.variants?.length ?? 0) - SHOWN_VARIANTS
  return (
    <List size="sm" spacing={0} listStyleType="none">
      {linesOf(t, sample, categoryNames).map(({ key, label, before, after }) => (
        <List.Item key={key}>
          <Text span inherit c="dimmed">
            {label}{' '}
          </Text>
          {before || t('products.bulk.nothing')} <ArrowRightIcon role="img" aria-label={t('common.becomes')} />{' '}
          <b>{after || t('products.bulk.nothing')}</b>
        </List.Item>
      ))}
      {more > 0 && <List.Item c="dimmed">{t('products.bulk.moreVariants', { count: more })}</List.Item>}
    </List>
  )
}

function linesOf(t: TFunction, { before, after }: BulkSample, categoryNames: ReadonlyMap<string, string>): Line[] {
  const nameOf = (slug: string): string => categoryNames.get(slug) ?? slug
  const lines: (Line | undefined)[] = [
    after.price && line('price', t('products.field.price'), moneyText(before.price), moneyText(after.price)),
    after.compareAtPrice !== undefined
      ? line(
          'former',
          t('products.field.compareAtPrice'),
          moneyText(before.compareAtPrice),
          moneyText(after.compareAtPrice),
        )
      : undefined,
    after.published !== undefined
      ? line('state', t('products.state'), stateText(t, before.published), stateText(t, after.published))
      : undefined,
    after.tags && line('tags', t('products.field.tags'), listText(before.tags), listText(after.tags)),
    after.categories &&
      line(
        'categories',
        t('products.categories'),
        listText(before.categories?.map(nameOf)),
        listText(after.categories.map(nameOf)),
      ),
    ...variantLines(t, { before, after }),
  ]
  return lines.filter((each) => each !== undefined)
}

function variantLines(t: TFunction, { before, after }: Pick<BulkSample, 'before' | 'after'>): Line[] {
  const known = new Map((before.variants ?? []).map((variant) => [variant.id, variant]))
  return (after.variants ?? [])
    .slice(0, SHOWN_VARIANTS)
    .map(({ id, sku, price, compareAtPrice }) =>
      line(id, sku, pricesText(t, known.get(id)), pricesText(t, { price, compareAtPrice })),
    )
}

function pricesText(t: TFunction, prices: { price: Money | null; compareAtPrice: Money | null } | undefined): string {
  const price = prices?.price ? formatMoney(prices.price) : t('products.bulk.priceOfProduct')
  const former = prices?.compareAtPrice
  return former ? t('products.bulk.withFormer', { price, former: formatMoney(former) }) : price
}

function line(key: string, label: string, before: string, after: string): Line {
  return { key, label, before, after }
}

function moneyText(money: Money | null | undefined): string {
  return money ? formatMoney(money) : ''
}

function stateText(t: TFunction, published: boolean | undefined): string {
  return t(published === true ? 'products.published' : 'products.draft')
}

function listText(values: readonly string[] | undefined): string {
  return (values ?? []).join(', ')
}
