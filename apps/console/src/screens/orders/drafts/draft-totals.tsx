import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../parts/card.tsx'
import { TotalRows } from '../order-totals.tsx'
import type { DraftQuote } from './drafts-queries.ts'

/** What the buyer pays, as the shop computes it. */
export function DraftTotals({
  quote,
  problem,
}: {
  quote: DraftQuote | undefined
  problem: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('orders.totals.total')}>
      {problem !== undefined && (
        <Alert color="red" mb="sm">
          {problem}
        </Alert>
      )}
      {quote && (
        <Stack gap={4} aria-live="polite">
          <TotalRows of={quote} shippingLabel={t('draftOrders.shipping')} />
        </Stack>
      )}
      {!quote && problem === undefined && <Text c="dimmed">{t('draftOrders.noTotals')}</Text>}
    </Card>
  )
}
