import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core'
import { CounterClockwiseClockIcon } from '@radix-ui/react-icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { productAddress } from '../../parts/record-links.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { numeral } from '../../parts/formats.ts'
import { useCan } from '../../session.ts'
import { QuantityField } from './quantity-field.tsx'
import { saveQuantity } from './save-quantity.ts'
import type { StockPage, StockRow } from './stock-queries.ts'

interface StockTableProps {
  label: string
  list: UseQueryResult<StockPage>
  empty: ReactNode
  /** Whether the shop lists what is on hand and reserved. */
  detailed: boolean
  onHistory: (row: StockRow) => void
}

export function StockTable({ label, list, empty, detailed, onHistory }: StockTableProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const isEditable = can('inventory:write')

  const columns: Column<StockRow>[] = [
    { id: 'variant', header: t('stock.column.variant'), cell: (row) => <VariantName row={row} /> },
    ...(detailed ? levelColumns(t) : []),
    {
      id: 'available',
      header: t('stock.column.available'),
      number: true,
      cell: (row) =>
        isEditable ? (
          <QuantityField sku={row.sku} available={row.available} onSave={(change) => void saveQuantity(row, change)} />
        ) : (
          numeral(row.available)
        ),
    },
    {
      id: 'history',
      header: t('stock.column.history'),
      cell: (row) => (
        <Tooltip label={t('stock.history')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('stock.historyOf', { sku: row.sku })}
            onClick={() => onHistory(row)}
          >
            <CounterClockwiseClockIcon />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ]
  return (
    <>
      {isEditable && (
        <Text id="quantity-help" c="dimmed" mb="xs" visibleFrom="sm">
          {t('stock.quantityHelp')}
        </Text>
      )}
      <DataTable
        label={label}
        columns={columns}
        rows={list.data?.rows}
        rowId={({ variantId }) => variantId}
        query={list}
        empty={empty}
      />
    </>
  )
}

function levelColumns(t: TFunction): Column<StockRow>[] {
  return [
    {
      id: 'onHand',
      header: t('stock.column.onHand'),
      number: true,
      secondary: true,
      cell: ({ available, reserved = 0 }) => numeral(available + reserved),
    },
    {
      id: 'reserved',
      header: t('stock.column.reserved'),
      number: true,
      secondary: true,
      cell: ({ reserved = 0 }) => numeral(reserved),
    },
  ]
}

function VariantName({ row }: { row: StockRow }): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Link to={productAddress(row.product.id)} className="row-link">
          <Text fw={600}>{row.product.title}</Text>
        </Link>
        {!row.product.published && (
          <Badge variant="default" size="sm">
            {t('stock.draft')}
          </Badge>
        )}
      </Group>
      <Text className="small dimmed">{[row.sku, ...Object.values(row.options)].join(' · ')}</Text>
    </>
  )
}
