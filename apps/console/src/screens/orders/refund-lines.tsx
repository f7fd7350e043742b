import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import type { Order } from './orders-queries.ts'
import { everythingOf, refundableUnits, type RefundChoice } from './refund-amount.ts'
import { RefundLine } from './refund-line.tsx'
import type { Restock } from './use-restock.ts'

interface RefundLinesProps {
  order: Order
  choice: RefundChoice
  onChange: (choice: RefundChoice) => void
  restock: Restock
}

/** How many units of each line come back, and whether the shipping is refunded. */
export function RefundLines({ order, choice, onChange, restock }: RefundLinesProps): ReactNode {
  const { t } = useTranslation()
  const left = refundableUnits(order)
  const lines = order.lines.filter(({ id }) => (left.get(id) ?? 0) > 0)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600}>{t('orders.refund.units')}</Text>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(everythingOf(order))}>
          {t('orders.refund.everything')}
        </Button>
      </Group>
      {lines.map((line, place) => (
        <RefundLine
          key={line.id}
          line={line}
          isFirst={place === 0}
          most={left.get(line.id) ?? 0}
          units={choice.units[line.id] ?? 0}
          onUnits={(units) => onChange({ ...choice, units: { ...choice.units, [line.id]: units } })}
          restock={restock.ofLine(line.id)}
          onRestock={(next) => restock.setLine(line.id, next)}
        />
      ))}
      {order.shipping.amount > 0 && (
        <Checkbox
          label={t('orders.refund.shipping', { amount: formatMoney(order.shipping) })}
          checked={choice.shipping}
          onChange={(event) => onChange({ ...choice, shipping: event.currentTarget.checked })}
        />
      )}
    </Stack>
  )
}
