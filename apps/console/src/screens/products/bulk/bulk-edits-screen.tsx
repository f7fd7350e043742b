import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Page } from '../../../parts/page.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { MoreButton } from '../../../parts/more-button.tsx'
import { categoriesQuery } from '../products-queries.ts'
import { BulkAction } from './bulk-action.tsx'
import { bulkEditsQuery, type BulkEdit } from './bulk-queries.ts'
import { BulkProgress, BulkStateBadge } from './bulk-state.tsx'
import { changeSentence } from './change-sentence.ts'
import { requesterName } from './requester-name.ts'

/** What was changed about many products at once in the last thirty days, and by whom. */
export function BulkEditsScreen(): ReactNode {
  const { t } = useTranslation()
  const edits = useInfiniteQuery(bulkEditsQuery)
  const categories = useQuery(categoriesQuery).data?.items
  const columns = useMemo((): Column<BulkEdit>[] => {
    const names = new Map((categories ?? []).map(({ slug, name }) => [slug, name]))
    return [
      { id: 'what', header: t('products.bulk.what'), cell: (edit) => changeSentence(t, edit, names) },
      { id: 'state', header: t('products.state'), secondary: true, cell: (edit) => <BulkStateBadge edit={edit} /> },
      { id: 'result', header: t('products.bulk.result'), cell: (edit) => <BulkProgress edit={edit} /> },
      { id: 'who', header: t('products.bulk.who'), secondary: true, cell: ({ by }) => requesterName(t, by) },
      { id: 'when', header: t('products.bulk.when'), cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      { id: 'action', header: t('common.actions'), isHeaderHidden: true, cell: (edit) => <BulkAction edit={edit} /> },
    ]
  }, [t, categories])
  return (
    <Page title={t('products.bulk.all')} back={{ to: '/products', label: t('screens.products') }}>
      <DataTable
        label={t('products.bulk.all')}
        columns={columns}
        rows={edits.data?.pages.flatMap(({ items }) => items)}
        rowId={({ id }) => id}
        linkOf={({ id }) => `/products/bulk/${id}`}
        query={edits}
        empty={<EmptyState title={t('products.bulk.none')} text={t('products.bulk.noneText')} />}
      />
      <MoreButton list={edits} />
    </Page>
  )
}
