import { Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowBadge } from '../../../parts/row-badge.tsx'
import { isOpen, type BulkEdit } from './bulk-queries.ts'

const COLORS = { queued: 'gray', running: 'blue', done: 'teal', cancelled: 'orange' } as const

/** Whether a bulk edit waits, runs or has ended. */
export function BulkStateBadge({ edit: { state, undoneBy } }: { edit: BulkEdit }): ReactNode {
  const { t } = useTranslation()
  const name = undoneBy === undefined ? state : 'undone'
  return (
    <RowBadge variant="dot" color={undoneBy === undefined ? COLORS[state] : 'gray'}>
      {t(`products.bulk.state.${name}`)}
    </RowBadge>
  )
}

export function BulkProgress({ edit }: { edit: BulkEdit }): ReactNode {
  const { t } = useTranslation()
  if (!isOpen(edit)) {
    return (
      <Text component="span">
        <BulkCounts edit={edit} />
      </Text>
    )
  }
  const { done, total } = edit
  const label = t('products.bulk.progress', { done, count: total })
  return (
    <Stack gap={2}>
      <Text>{label}</Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={label} />
    </Stack>
  )
}

function BulkCounts({ edit: { changed, unchanged, failed } }: { edit: BulkEdit }): ReactNode {
  const { t } = useTranslation()
  return [
    t('products.bulk.changed', { count: changed }),
    ...(unchanged > 0 ? [t('products.bulk.unchanged', { count: unchanged })] : []),
    ...(failed > 0 ? [t('products.bulk.failed', { count: failed })] : []),
  ].join(', ')
}
