import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../parts/card.tsx'
import { Amount } from '../order-totals.tsx'
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
        <Alert color="red" role="alert" mb="sm">
          {problem}
        </Alert>
      )}
      {quote && <Amounts quote={quote} />}
      {!quote && problem === undefined && (
        <Text size="sm" c="dimmed">
          {t('draftOrders.noTotals')}
        </Text>
      )}
    </Card>
  )
}

function Amounts({ quote }: { quote: DraftQuote }): ReactNode {
  const { t } = useTranslation()
  const { subtotal, discount, discountCode, shipping, tax, total } = quote
  const isTaxAdded = total.amount > subtotal.amount - discount.amount + shipping.amount
  return (
    <Stack gap={4} aria-live="polite">
      <Amount label={t('orders.totals.subtotal')} money={subtotal} />
      {discount.amount > 0 && (
        <Amount
          label={t('orders.totals.discount', { code: discountCode?.code ?? '' })}
          money={{ ...discount, amount: -discount.amount }}
        />
      )}
      <Amount label={t('draftOrders.shipping')} money={shipping} />
      {isTaxAdded && <Amount label={t('orders.totals.tax')} money={tax} />}
      <Amount label={t('orders.totals.total')} money={total} strong />
      {!isTaxAdded && tax.amount > 0 && <Amount label={t('orders.totals.taxIncluded')} money={tax} dimmed />}
    </Stack>
  )
}
