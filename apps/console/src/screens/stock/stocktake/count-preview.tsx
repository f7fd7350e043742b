import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { numeral, signedNumeral } from '../../../parts/formats.ts'
import type { Difference } from './apply-differences.ts'

/** Counts beside what the shop has. */
export interface Comparison {
  differences: Difference[]
  /** SKUs that the shop does not have. */
  unknown: string[]
  /** How many counts are as in the shop. */
  equal: number
}

const SHOWN_UNKNOWN = 50

interface CountPreviewProps {
  comparison: Comparison
  onBack: () => void
  onApply: (differences: Difference[]) => void
}

/** What would change, before anything does. */
export function CountPreview({ comparison, onBack, onApply }: CountPreviewProps): ReactNode {
  const { t } = useTranslation()
  const { differences, unknown, equal } = comparison
  return (
    <Stack>
      <Text size="md" role="status">
        {t('stock.stocktake.differ', { count: differences.length })} {t('stock.stocktake.equal', { count: equal })}
      </Text>
      {unknown.length > 0 && (
        <Alert color="orange" title={t('stock.stocktake.unknown', { count: unknown.length })}>
          {unknown.slice(0, SHOWN_UNKNOWN).join(', ')}
        </Alert>
      )}
      <DifferenceTable differences={differences} />
      <Group>
        <Button variant="filled" disabled={differences.length === 0} onClick={() => onApply(differences)}>
          {t('stock.stocktake.apply', { count: differences.length })}
        </Button>
        <Button onClick={onBack}>{t('stock.stocktake.back')}</Button>
      </Group>
    </Stack>
  )
}

export function DifferenceTable({
  differences,
  errorOf,
}: {
  differences: readonly Difference[]
  errorOf?: (difference: Difference) => string
}): ReactNode {
  const { t } = useTranslation()
  const columns: Column<Difference>[] = [
    {
      id: 'sku',
      header: t('stock.column.sku'),
      cell: ({ sku, title, options }) => (
        <>
          <Text>{sku}</Text>
          <Text className="small dimmed">{[title, ...Object.values(options)].join(' · ')}</Text>
        </>
      ),
    },
    {
      id: 'onHand',
      header: t('stock.stocktake.inShop'),
      number: true,
      secondary: true,
      cell: ({ onHand }) => numeral(onHand),
    },
    { id: 'counted', header: t('stock.stocktake.counted'), number: true, cell: ({ counted }) => numeral(counted) },
    {
      id: 'difference',
      header: t('stock.stocktake.difference'),
      number: true,
      cell: ({ counted, onHand }) => signedNumeral(counted - onHand),
    },
    ...(errorOf ? [{ id: 'error', header: t('stock.stocktake.why'), cell: errorOf }] : []),
  ]
  return (
    <DataTable
      label={t('stock.stocktake.differences')}
      columns={columns}
      rows={differences}
      rowId={({ variantId }) => variantId}
      empty={<EmptyState title={t('stock.stocktake.noDifference')} />}
    />
  )
}
