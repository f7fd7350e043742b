import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../parts/data-table.tsx'
import { formatMoney } from '../../../parts/money.ts'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { RowBadge, type BadgeColor } from '../../../parts/row-badge.tsx'
import type { Draft, DraftStatus, DraftSummary } from './drafts-queries.ts'

const COLORS: Record<DraftStatus | 'expired', BadgeColor> = {
  open: 'gray',
  sent: 'indigo',
  expired: 'yellow',
  ordered: 'teal',
  cancelled: 'gray',
}

export function draftColumns(t: TFunction): readonly Column<DraftSummary>[] {
  return [
    { id: 'buyer', header: t('draftOrders.column.buyer'), cell: (draft) => <Buyer draft={draft} /> },
    { id: 'status', header: t('orders.columns.status'), cell: (draft) => <DraftBadge draft={draft} /> },
    {
      id: 'created',
      header: t('draftOrders.column.created'),
      visibleFrom: 'md',
      cell: ({ createdAt, by }) => (
        <>
          <RelativeTime at={createdAt} />
          {by?.name && ` · ${by.name}`}
        </>
      ),
    },
    { id: 'items', header: t('orders.columns.items'), number: true, secondary: true, cell: ({ items }) => items },
    { id: 'total', header: t('orders.columns.total'), number: true, cell: ({ total }) => formatMoney(total) },
  ]
}

function Buyer({ draft: { name, email } }: { draft: DraftSummary }): ReactNode {
  const { t } = useTranslation()
  const shown = name === '' ? email : name
  return (
    <>
      <span className="wrap">{shown === '' ? t('draftOrders.noBuyer') : shown}</span>
      {name !== '' && email !== '' && <div className="wrap small dimmed mantine-visible-from-sm">{email}</div>}
    </>
  )
}

type Badged = Pick<Draft, 'status' | 'expiresAt' | 'order'>

/** The state of a draft, and the number of its order. */
export function DraftBadge({ draft }: { draft: Badged }): ReactNode {
  const { t } = useTranslation()
  const state = isExpired(draft) ? 'expired' : draft.status
  return (
    <RowBadge color={COLORS[state]}>{t(`draftOrders.status.${state}`, { number: draft.order?.number ?? '' })}</RowBadge>
  )
}

export function isExpired({ status, expiresAt }: Badged): boolean {
  return status === 'sent' && expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
}
