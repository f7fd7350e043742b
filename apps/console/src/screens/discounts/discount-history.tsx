import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Change } from '../../parts/change-list.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { HistoryEntry } from '../../parts/history-entry.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { discountAuditQuery, type DiscountAuditEntry } from './discounts-queries.ts'

/** The changes of all discount codes, or of one, with who made them; deleted codes are included. */
export function DiscountHistory({ code }: { code?: string }): ReactNode {
  const { t } = useTranslation()
  const audit = useInfiniteQuery(discountAuditQuery(code))
  if (!audit.data) return <LoadingState queries={[audit]} waiting={<Skeleton height={160} />} />
  const entries = audit.data.pages.flatMap(({ items }) => items)
  if (entries.length === 0) return <EmptyState title={t('discounts.noHistory')} text={t('discounts.noHistoryText')} />
  return (
    <>
      {entries.map((entry) => (
        <HistoryEntry
          key={entry.id}
          at={entry.at}
          actor={entry.by?.name ?? t('common.otherActor', { id: entry.actor.slice(-6) })}
          sentence={t(`discounts.did.${actionOf(entry)}`, { code: entry.subject.id })}
          changes={actionOf(entry) === 'update' ? changesOf(entry) : []}
        />
      ))}
      <MoreButton list={audit} />
    </>
  )
}

/** An import creates, changes or deletes. */
function actionOf({ before, after }: DiscountAuditEntry): 'create' | 'update' | 'delete' {
  if (before === null) return 'create'
  return after === null ? 'delete' : 'update'
}

function changesOf({ before, after }: DiscountAuditEntry): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...fields].map((field) => ({ field, before: before?.[field], after: after?.[field] }))
}
