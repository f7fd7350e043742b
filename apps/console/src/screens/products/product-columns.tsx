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
      cell: ({ published }) => <StateBadge published={published} />,
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
        {!product.published && (
          <Text size="xs" c="dimmed" component="span" display="block" hiddenFrom="sm">
            {t('products.draft')}
          </Text>
        )}
      </Box>
    </Group>
  )
}

/** Whether shoppers see a product. */
export function StateBadge({ published }: { published: boolean }): ReactNode {
  const { t } = useTranslation()
  return (
    <Badge variant="dot" tt="none" miw="max-content" color={published ? 'teal' : 'gray'}>
      {t(published ? 'products.published' : 'products.draft')}
    </Badge>
  )
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
