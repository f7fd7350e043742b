import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { categoryChoices } from '../../parts/category-names.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { productAddress } from '../../parts/record-links.ts'
import { SavedViews } from '../../parts/saved-views.tsx'
import { useCan } from '../../session.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { BulkStrip } from './bulk/bulk-strip.tsx'
import { productColumns } from './product-columns.tsx'
import { ProductsFilters } from './products-filters.tsx'
import { categoriesQuery, productsQuery } from './products-queries.ts'
import { usePickedProducts } from './use-picked-products.ts'

/** All products, with search, filters and bulk edits. */
export function ProductsScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, change] = useFilters()
  const canWrite = useCan()('catalog:write')
  const products = useQuery(productsQuery(filters))
  const categories = useQuery(categoriesQuery).data?.items
  const choices = useMemo(() => categoryChoices(categories ?? []), [categories])
  const names = useMemo(() => new Map((categories ?? []).map(({ slug, name }) => [slug, name])), [categories])
  const columns = useMemo(() => productColumns(t, names), [t, names])
  const picked = usePickedProducts(filters, products.data)

  return (
    <Page
      title={t('screens.products')}
      actions={
        <>
          <BulkEditsButton />
          {canWrite && <NewProductButton />}
        </>
      }
    >
      <BulkStrip categoryNames={names} />
      <SavedViews screen="products" filters={filters} />
      <ProductsFilters categories={choices} />
      <DataTable
        label={t('screens.products')}
        columns={columns}
        rows={products.data?.items}
        rowId={({ id }) => id}
        linkOf={({ id }) => productAddress(id)}
        query={products}
        empty={<NoProducts filtered={Object.keys(filters).length > 0} canWrite={canWrite} />}
        {...(canWrite && { selection: { ids: picked.ids, change: picked.pick } })}
      />
      {products.data && products.data.total > 0 && (
        <Pager {...products.data} onPage={(page) => change({ page: String(page) })} />
      )}
      <BulkBar picked={picked} categoryNames={names} />
    </Page>
  )
}

function BulkEditsButton(): ReactNode {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/products/bulk">
      {t('products.bulk.all')}
    </Button>
  )
}

function NewProductButton(): ReactNode {
  const { t } = useTranslation()
  return (
    <Button variant="filled" component={Link} to="/products/new" leftSection={<PlusIcon />}>
      {t('products.new')}
    </Button>
  )
}

function NoProducts({ filtered, canWrite }: { filtered: boolean; canWrite: boolean }): ReactNode {
  const { t } = useTranslation()
  if (filtered) return <EmptyState title={t('products.noneFound')} text={t('products.noneFoundText')} />
  return (
    <EmptyState title={t('products.none')} text={t('products.noneText')} action={canWrite && <NewProductButton />} />
  )
}
