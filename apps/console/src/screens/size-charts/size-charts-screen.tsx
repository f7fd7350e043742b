import { Button, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { numeral } from '../../parts/formats.ts'
import { Page } from '../../parts/page.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { useDialog } from '../../parts/use-dialog.tsx'
import { useCan } from '../../session.ts'
import { deleteSizeChart } from './save-size-chart.ts'
import { sizeChartsQuery, type SizeChart } from './size-charts-queries.ts'

/** The size charts that products share. */
export function SizeChartsScreen(): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const read = useQuery(sizeChartsQuery)
  const { open, render } = useDialog<SizeChart>()
  const create = (
    <Button variant="filled" component={Link} to="/size-charts/new" leftSection={<PlusIcon />}>
      {t('sizeCharts.new')}
    </Button>
  )
  const columns = columnsOf(t)
  if (canWrite) {
    columns.push({
      id: 'menu',
      header: t('common.actions'),
      isHeaderHidden: true,
      cell: (chart) => (
        <RowMenu
          label={t('sizeCharts.menu', { name: chart.id })}
          actions={[{ label: t('sizeCharts.delete'), isDangerous: true, onClick: () => open(chart) }]}
        />
      ),
    })
  }

  return (
    <Page title={t('screens.sizeCharts')} actions={canWrite && create}>
      <DataTable
        label={t('screens.sizeCharts')}
        columns={columns}
        rows={read.data?.items}
        rowId={({ id }) => id}
        query={read.data ? undefined : read}
        empty={<EmptyState title={t('sizeCharts.none')} text={t('sizeCharts.noneText')} action={canWrite && create} />}
      />
      {render((dialog, chart) => (
        <ConfirmDialog
          {...dialog}
          title={t('sizeCharts.deleteTitle', { name: chart.id })}
          text={
            chart.productCount === 0
              ? t('sizeCharts.deleteUnused')
              : t('sizeCharts.deleteText', { count: chart.productCount })
          }
          action={t('sizeCharts.delete')}
          isDangerous
          onConfirm={() => void deleteSizeChart(chart)}
        />
      ))}
    </Page>
  )
}

function columnsOf(t: TFunction): Column<SizeChart>[] {
  return [
    {
      id: 'name',
      header: t('sizeCharts.field.name'),
      cell: ({ id }) => (
        <Link to="/size-charts/edit" search={{ id }} state={{ list: '/size-charts' }} className="row-link">
          <Text inherit fw={600} className="wrap">
            {id}
          </Text>
        </Link>
      ),
    },
    { id: 'columns', header: t('sizeCharts.columns'), secondary: true, cell: (chart) => chart.columns.join(', ') },
    {
      id: 'sizes',
      header: t('sizeCharts.sizes'),
      secondary: true,
      cell: ({ rows }) => rows.map(([size]) => size).join(', '),
    },
    {
      id: 'products',
      header: t('screens.products'),
      number: true,
      cell: ({ productCount }) => numeral(productCount),
    },
  ]
}
