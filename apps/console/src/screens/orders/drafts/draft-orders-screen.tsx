import { Button, Tabs } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { useFilters } from '../../../parts/filters.ts'
import { Page } from '../../../parts/page.tsx'
import { MoreButton } from '../../../parts/more-button.tsx'
import { useCan } from '../../../session.ts'
import { draftColumns } from './draft-columns.tsx'
import { DRAFT_STATUSES, draftsQuery } from './drafts-queries.ts'

/** Orders that merchants have made for buyers. */
export function DraftOrdersScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const [filters, setFilters] = useFilters()
  const status = DRAFT_STATUSES.find((one) => one === filters['status'])
  const list = useInfiniteQuery(draftsQuery(status))
  const create = can('orders:write') && (
    <Button variant="filled" component={Link} to="/orders/drafts/new" leftSection={<PlusIcon />}>
      {t('orders.drafts.create')}
    </Button>
  )
  return (
    <Page title={t('orders.drafts.title')} back={{ to: '/orders', label: t('screens.orders') }} actions={create}>
      <Tabs
        value={status ?? 'all'}
        onChange={(tab) => setFilters({ status: tab === 'all' || tab === null ? undefined : tab })}
        mb="sm"
      >
        <Tabs.List>
          {(['all', ...DRAFT_STATUSES] as const).map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {tab === 'all' ? t('orders.views.all') : t(`draftOrders.status.${tab}`, { number: '' }).trim()}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <DataTable
        label={t('orders.drafts.title')}
        columns={draftColumns(t)}
        rows={list.data?.pages.flatMap(({ items }) => items)}
        rowId={({ id }) => id}
        linkOf={({ id }) => `/orders/drafts/${id}`}
        query={list}
        empty={
          status === undefined ? (
            <EmptyState title={t('draftOrders.none')} text={t('draftOrders.noneText')} action={create} />
          ) : (
            <EmptyState title={t('draftOrders.noneOfStatus')} />
          )
        }
      />
      <MoreButton list={list} />
    </Page>
  )
}
