import { Group, NumberInput, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { DifferenceList } from './difference-list.tsx'
import { differencesOf } from './differences.ts'
import { versionQuery } from './storefront-queries.ts'

interface ComparisonProps {
  from: number
  to: number
  latest: number
  currency: string
  onChange: (change: { from?: string; to?: string }) => void
}

/** What differs between two versions, in words. */
export function Comparison({ from, to, latest, currency, onChange }: ComparisonProps): ReactNode {
  const { t } = useTranslation()
  const older = useContent(from)
  const newer = useContent(to)
  const error = older.error ?? newer.error
  const differences = useMemo(
    () => (older.data && newer.data ? differencesOf(older.data, newer.data) : undefined),
    [older.data, newer.data],
  )
  const limits = { max: latest, allowDecimal: false, w: 120 }
  return (
    <Stack mb="md">
      <Card title={t('storefront.versions.compare')}>
        <Group mb="sm">
          <NumberInput
            {...limits}
            min={0}
            label={t('storefront.versions.from')}
            value={from}
            onChange={(value) => typeof value === 'number' && onChange({ from: String(value) })}
          />
          <NumberInput
            {...limits}
            min={1}
            label={t('storefront.versions.to')}
            value={to}
            onChange={(value) => typeof value === 'number' && onChange({ to: String(value) })}
          />
        </Group>
        {error ? (
          <ErrorState error={error} />
        ) : differences ? (
          <DifferenceList differences={differences} currency={currency} />
        ) : (
          <Skeleton height={80} />
        )}
      </Card>
    </Stack>
  )
}

const NOTHING = {}

/** Before the first version there was nothing. */
function useContent(version: number) {
  const { data, error } = useQuery({ ...versionQuery(String(version)), enabled: version > 0 })
  return version > 0 ? { data: data?.configuration, error } : { data: NOTHING, error: null }
}
