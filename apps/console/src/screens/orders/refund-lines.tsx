import { Button, Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import { TYPED_OVER } from '../../parts/typed-over.ts'
import { LineName } from './order-items.tsx'
import type { Order } from './orders-queries.ts'
import { everythingOf, unitsLeft, type RefundChoice } from './refund-amount.ts'

interface RefundLinesProps {
  order: Order
  choice: RefundChoice
  onChange: (choice: RefundChoice) => void
}

/** How many units of each line come back, and whether the shipping is refunded. */
export function RefundLines({ order, choice, onChange }: RefundLinesProps): ReactNode {
  const { t } = useTranslation()
  const left = unitsLeft(order)
  const lines = order.lines.filter(({ id }) => (left.get(id) ?? 0) > 0)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t('orders.refund.units')}
        </Text>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(everythingOf(order))}>
          {t('orders.refund.everything')}
        </Button>
      </Group>
      {lines.map((line, place) => (
        <Group key={line.id} justify="space-between" wrap="nowrap">
          <LineName line={line} />
          <Group gap="xs" wrap="nowrap">
            <NumberInput
              data-autofocus={place === 0 ? true : undefined}
              {...TYPED_OVER}
              aria-label={t('orders.refund.unitsOf', { title: line.title, count: left.get(line.id) ?? 0 })}
              value={choice.units[line.id] ?? 0}
              onChange={(units) =>
                onChange({ ...choice, units: { ...choice.units, [line.id]: typeof units === 'number' ? units : 0 } })
              }
              min={0}
              max={left.get(line.id) ?? 0}
              clampBehavior="strict"
              allowDecimal={false}
              w={72}
              flex="none"
            />
            <Text size="sm" c="dimmed" className="number" aria-hidden>
              / {left.get(line.id)}
            </Text>
          </Group>
        </Group>
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
