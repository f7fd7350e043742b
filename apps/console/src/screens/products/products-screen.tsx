import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useCan } from '../../session.ts'
import { BulkBar } from './bulk-bar.tsx'
import { categoryChoices } from '../../parts/category-names.ts'
import { productColumns } from './product-columns.tsx'
import { ProductsFilters } from './products-filters.tsx'
import { categoriesQuery, productsQuery } from './products-queries.ts'

/** All products, with search, filters and bulk edits. */
export function ProductsScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, change] = useFilters()
  const canWrite = useCan()('catalog:write')
  const products = useQuery(productsQuery(filters))
  const categories = useQuery(categoriesQuery).data?.items
  const choices = useMemo(() => categoryChoices(categories ?? []), [categories])
  const columns = useMemo(
    () => productColumns(t, new Map((categories ?? []).map(({ slug, name }) => [slug, name]))),
    [t, categories],
  )
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const rows = products.data?.items
  const pickedRows = rows?.filter(({ id }) => picked.has(id)) ?? []

  return (
    <Page title={t('screens.products')} actions={canWrite && <NewProductButton />}>
      <ProductsFilters categories={choices} />
      <DataTable
        label={t('screens.products')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        linkOf={({ id }) => `/products/${id}`}
        error={products.error}
        onRetry={() => void products.refetch()}
        empty={<NoProducts filtered={Object.keys(filters).length > 0} canWrite={canWrite} />}
        {...(canWrite && { selection: { ids: picked, change: setPicked } })}
      />
      {products.data && products.data.total > 0 && (
        <Pager
          page={products.data.page}
          perPage={products.data.perPage}
          total={products.data.total}
          onPage={(page) => change({ page: String(page) })}
        />
      )}
      <BulkBar products={pickedRows} onDone={(left) => setPicked(new Set(left))} />
    </Page>
  )
}

function NewProductButton(): ReactNode {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/products/new" leftSection={<PlusIcon />}>
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
