import { Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import type { Buyer } from './buyers-queries.ts'

/** What a person has ordered and paid. */
export function BuyerTotals({ buyer }: { buyer: Buyer }): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" component="section" aria-label={t('customers.totals')}>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Figure label={t('customers.column.orders')}>{buyer.orders}</Figure>
        <Figure label={t('customers.column.revenue')}>{buyer.revenue.map(formatMoney).join(', ')}</Figure>
        <Figure label={t('customers.first')}>
          <RelativeTime at={buyer.firstOrderAt} />
        </Figure>
        <Figure label={t('customers.column.latest')}>
          <RelativeTime at={buyer.lastOrderAt} />
        </Figure>
      </SimpleGrid>
    </Paper>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <Text className="small dimmed">{label}</Text>
      <Text size="md" fw={600}>
        {children}
      </Text>
    </div>
  )
}
