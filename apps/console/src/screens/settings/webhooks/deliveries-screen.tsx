import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { useFilters } from '../../../parts/filters.ts'
import { Pager } from '../../../parts/pager.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import { ReplayPeriod } from './replay-period.tsx'
import { ReplaySelected } from './replay-selected.tsx'
import { WebhooksPage } from './webhooks-page.tsx'
import { deliveriesQuery } from './webhooks-queries.ts'

/** What was sent to the endpoints, and whether it arrived. */
export function DeliveriesScreen(): ReactNode {
  return (
    <WebhooksPage current="/settings/webhooks/deliveries" actions={<ReplayPeriod />}>
      <Deliveries />
    </WebhooksPage>
  )
}

function Deliveries(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { delivery, ...listed } = filters
  const deliveries = useQuery(deliveriesQuery(listed))
  return (
    <>
      <DeliveryFilters filters={filters} onChange={setFilters} />
      <ReplaySelected
        ids={selected}
        onSent={(sent) => setSelected((before) => new Set([...before].filter((id) => !sent.has(id))))}
      />
      <DataTable
        label={t('settings.webhooks.deliveries')}
        columns={deliveryColumns(t, (id) => setFilters({ page: filters['page'], delivery: id }))}
        rows={deliveries.data?.items}
        rowId={({ id }) => id}
        query={deliveries}
        selection={{ ids: selected, change: setSelected }}
        empty={
          <EmptyState title={t('settings.webhooks.noDeliveries')} text={t('settings.webhooks.noDeliveriesText')} />
        }
      />
      {deliveries.data && <Pager {...deliveries.data} onPage={(page) => setFilters({ page: String(page) })} />}
      <DeliveryDrawer id={delivery} onClose={() => setFilters({ page: filters['page'], delivery: undefined })} />
    </>
  )
}
