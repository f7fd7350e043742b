import { Badge, Box, Group, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../parts/data-table.tsx'
import { formatMoney } from '../../parts/money.ts'
import { Thumbnail } from '../../parts/picture.tsx'
import type { AdminProduct } from './products-queries.ts'

/** What the list shows of each product. */
export function productColumns(t: TFunction, categoryNames: ReadonlyMap<string, string>): Column<AdminProduct>[] {
  return [
    { id: 'title', header: t('products.title'), cell: (product) => <TitleCell product={product} /> },
    {
      id: 'state',
      header: t('products.state'),
      secondary: true,
      cell: (product) => <StateBadge product={product} />,
    },
    { id: 'price', header: t('products.price'), number: true, cell: (product) => priceText(t, product) },
    { id: 'stock', header: t('products.stock'), number: true, cell: (product) => <StockCell product={product} /> },
    {
      id: 'categories',
      header: t('products.categories'),
      secondary: true,
      cell: ({ categories }) => categories.map((slug) => categoryNames.get(slug) ?? slug).join(', '),
    },
  ]
}

function TitleCell({ product }: { product: AdminProduct }): ReactNode {
  const { t } = useTranslation()
  return (
    <Group gap="sm" wrap="nowrap">
      <Thumbnail url={product.images[0]?.url} />
      <Box miw={130}>
        <Text inherit lineClamp={2} title={product.title}>
          {product.title}
        </Text>
        {(!product.published || product.unpublishAt !== null) && (
          <Text size="xs" c="dimmed" component="span" display="block" hiddenFrom="sm">
            {stateText(t, product)}
          </Text>
        )}
      </Box>
    </Group>
  )
}

type PublicationState = Pick<AdminProduct, 'published' | 'publishAt' | 'unpublishAt'>

/** Whether shoppers see a product, and the next time at which that changes. */
export function StateBadge({ product }: { product: PublicationState }): ReactNode {
  const { t } = useTranslation()
  const { published, publishAt } = product
  return (
    <Badge variant="dot" tt="none" miw="max-content" color={published ? 'teal' : publishAt === null ? 'gray' : 'blue'}>
      {stateText(t, product)}
    </Badge>
  )
}

function stateText(t: TFunction, { published, publishAt, unpublishAt }: PublicationState): string {
  if (!published) return publishAt === null ? t('products.draft') : t('products.from', { time: timeText(publishAt) })
  return unpublishAt === null ? t('products.published') : t('products.until', { time: timeText(unpublishAt) })
}

function timeText(at: string): string {
  return new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

/** The price, or the lowest one when variants have several. */
function priceText(t: TFunction, { price, variants }: AdminProduct): string {
  const amounts = variants.map((variant) => variant.price.amount)
  const lowest = Math.min(...amounts)
  if (!Number.isFinite(lowest)) return formatMoney(price)
  const text = formatMoney({ amount: lowest, currency: price.currency })
  return lowest === Math.max(...amounts) ? text : t('products.priceFrom', { price: text })
}

function StockCell({ product: { variants } }: { product: AdminProduct }): ReactNode {
  const units = variants.reduce((sum, { inventory }) => sum + inventory, 0)
  return (
    <Text size="sm" component="span" {...(units === 0 && { c: 'var(--mantine-color-error)' })}>
      {new Intl.NumberFormat(i18next.language).format(units)}
    </Text>
  )
}
