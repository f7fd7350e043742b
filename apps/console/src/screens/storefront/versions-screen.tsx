import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActorName } from '../../parts/actor-name.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { useShopCurrency } from '../../shop-settings.ts'
import { Comparison } from './comparison.tsx'
import { RestoreButton } from './restore-button.tsx'
import { versionsQuery, type Version } from './storefront-queries.ts'

/** Who changed the configuration, when and what; any version can be compared with any other, and restored. */
export function VersionsScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const page = pageOf(filters)
  const list = useQuery(versionsQuery(page))
  const latest = useQuery(versionsQuery(1)).data?.items[0]?.version
  const currency = useShopCurrency() ?? 'USD'
  const to = Number(filters['to'] ?? latest ?? 0)
  const from = Number(filters['from'] ?? to - 1)
  const columns = useColumns(
    (version) => setFilters({ page: String(page), from: String(version - 1), to: String(version) }),
    latest,
  )
  return (
    <Page title={t('storefront.versions.title')} back={{ to: '/storefront', label: t('screens.storefront') }}>
      {latest !== undefined && latest > 0 && (
        <Comparison
          from={from}
          to={to}
          latest={latest}
          currency={currency}
          onChange={(change) => setFilters({ page: String(page), from: String(from), to: String(to), ...change })}
        />
      )}
      <DataTable
        label={t('storefront.versions.title')}
        columns={columns}
        rows={list.data?.items}
        rowId={({ version }) => String(version)}
        query={list}
        empty={<EmptyState title={t('storefront.versions.none')} text={t('storefront.versions.noneText')} />}
      />
      {list.data && <Pager {...list.data} onPage={(next) => setFilters({ page: String(next) })} />}
    </Page>
  )
}

function useColumns(onCompare: (version: number) => void, latest: number | undefined): Column<Version>[] {
  const { t } = useTranslation()
  const nameOf = useActorName()
  return [
    {
      id: 'version',
      header: t('storefront.versions.version'),
      cell: ({ version }) =>
        t(version === latest ? 'storefront.versions.current' : 'storefront.versions.one', { version }),
    },
    { id: 'when', header: t('storefront.versions.when'), cell: ({ at }) => <RelativeTime at={at} /> },
    {
      id: 'who',
      header: t('storefront.versions.who'),
      secondary: true,
      cell: ({ actor, restoredFrom }) =>
        [
          actor === undefined ? t('common.conflict.someone') : nameOf(actor),
          ...(restoredFrom === undefined ? [] : [t('storefront.versions.restoredFrom', { version: restoredFrom })]),
        ].join(' · '),
    },
    {
      id: 'actions',
      header: t('storefront.versions.actions'),
      cell: ({ version }) => (
        <>
          <Button variant="subtle" size="compact-sm" onClick={() => onCompare(version)}>
            {t('storefront.versions.changes')}
          </Button>
          {latest !== undefined && version !== latest && <RestoreButton version={version} latest={latest} />}
        </>
      ),
    },
  ]
}
