import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Column } from '../../parts/data-table.tsx'
import { numeral, ofLanguage } from '../../parts/formats.ts'
import { formatMoney } from '../../parts/money.ts'
import { Thumbnail } from '../../parts/picture.tsx'
import { RowBadge } from '../../parts/row-badge.tsx'
import type { AdminProduct } from './products-queries.ts'

/** What the list shows of each product. */
export function productColumns(t: TFunction, categoryNames: ReadonlyMap<string, string>): Column<AdminProduct>[] {
  return [
    { id: 'title', header: t('products.title'), cell: (product) => titleOf(product, t) },
    {
      id: 'state',
      header: t('products.state'),
      secondary: true,
      cell: (product) => <StateBadge product={product} t={t} />,
    },
    { id: 'price', header: t('products.price'), number: true, cell: (product) => priceText(t, product) },
    { id: 'stock', header: t('products.stock'), number: true, cell: stockOf },
    {
      id: 'categories',
      header: t('products.categories'),
      secondary: true,
      cell: ({ categories }) => categories.map((slug) => categoryNames.get(slug) ?? slug).join(', '),
    },
  ]
}

function titleOf(product: AdminProduct, t: TFunction): ReactNode {
  return (
    <div className="pictured">
      <Thumbnail url={product.images[0]?.url} />
      <div className="pictured-text">
        <div className="two-lines" title={product.title}>
          {product.title}
        </div>
        {(!product.published || product.unpublishAt !== null) && (
          <div className="small dimmed mantine-hidden-from-sm">{stateText(t, product)}</div>
        )}
      </div>
    </div>
  )
}

type PublicationState = Pick<AdminProduct, 'published' | 'publishAt' | 'unpublishAt'>

/** Whether shoppers see a product, and the next time at which that changes. */
export function StateBadge({ product, t }: { product: PublicationState; t: TFunction }): ReactNode {
  const { published, publishAt } = product
  const draftColor = publishAt === null ? 'gray' : 'blue'
  return (
    <RowBadge variant="dot" color={published ? 'teal' : draftColor}>
      {stateText(t, product)}
    </RowBadge>
  )
}

function stateText(t: TFunction, { published, publishAt, unpublishAt }: PublicationState): string {
  if (!published) return publishAt === null ? t('products.draft') : t('products.from', { time: timeText(publishAt) })
  return unpublishAt === null ? t('products.published') : t('products.until', { time: timeText(unpublishAt) })
}

const timeFormat = ofLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
)

function timeText(at: string): string {
  return timeFormat().format(new Date(at))
}

/** The price, or the lowest one when variants have several. */
function priceText(t: TFunction, { price, variants }: AdminProduct): string {
  const amounts = variants.map((variant) => variant.price.amount)
  const lowest = Math.min(...amounts)
  if (!Number.isFinite(lowest)) return formatMoney(price)
  const text = formatMoney({ amount: lowest, currency: price.currency })
  return lowest === Math.max(...amounts) ? text : t('products.priceFrom', { price: text })
}

function stockOf({ variants }: AdminProduct): ReactNode {
  const units = variants.reduce((sum, { inventory }) => sum + inventory, 0)
  return units === 0 ? <span className="alarming">{numeral(units)}</span> : numeral(units)
}
