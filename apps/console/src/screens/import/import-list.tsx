import { Badge, Box, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActorName } from '../../parts/actor-name.ts'
import { Card } from '../../parts/card.tsx'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { importsQuery, type ImportJob } from './import-queries.ts'
import { ImportBadge } from './import-badge.tsx'

/** The imports of the last thirty days, with those that are running. */
export function ImportList(): ReactNode {
  const { t } = useTranslation()
  const list = useInfiniteQuery(importsQuery)
  return (
    <Card title={t('import.earlier')} text={t('import.earlierText')}>
      <Box mt="sm">
        <DataTable
          label={t('import.earlier')}
          columns={useColumns()}
          rows={list.data?.pages.flatMap(({ items }) => items)}
          rowId={({ id }) => id}
          query={list}
          empty={<EmptyState title={t('import.none')} text={t('import.noneText')} />}
        />
      </Box>
      <MoreButton list={list} />
    </Card>
  )
}

function useColumns(): Column<ImportJob>[] {
  const { t } = useTranslation()
  const nameOf = useActorName()
  return [
    {
      id: 'when',
      header: t('import.column.when'),
      cell: ({ id, createdAt }) => (
        <Link to="/import/$id" params={{ id }} state={{ list: '/import' }} className="row-link">
          <Text fw={600}>
            <RelativeTime at={createdAt} />
          </Text>
        </Link>
      ),
    },
    {
      id: 'kind',
      header: t('import.column.kind'),
      cell: ({ dryRun, mode }) =>
        dryRun ? <Badge color="gray">{t('import.dryRun')}</Badge> : t(`import.modes.${mode}`),
    },
    { id: 'status', header: t('import.column.status'), cell: (job) => <ImportBadge job={job} /> },
    {
      id: 'who',
      header: t('import.column.who'),
      secondary: true,
      cell: ({ actor }) => actor !== undefined && nameOf(actor),
    },
    {
      id: 'rows',
      header: t('import.column.records'),
      number: true,
      secondary: true,
      cell: ({ progress }) => progress.rowsRead,
    },
  ]
}
