import { Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SELECT_ON_FOCUS } from '../../parts/select-on-focus.ts'
import { LineName } from './order-items.tsx'
import type { OrderLine } from './orders-queries.ts'

interface RefundLineProps {
  line: OrderLine
  isFirst: boolean
  most: number
  units: number
  onUnits: (units: number) => void
  /** Undefined when the refund returns no units. */
  restock: boolean | undefined
  onRestock: (restock: boolean) => void
}

/** How many units of a line come back, and whether these are for sale again. */
export function RefundLine({ line, isFirst, most, units, onUnits, restock, onRestock }: RefundLineProps): ReactNode {
  const { t } = useTranslation()
  const { title } = line
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <LineName line={line} />
        <Group gap="xs" wrap="nowrap">
          <NumberInput
            data-autofocus={isFirst ? true : undefined}
            {...SELECT_ON_FOCUS}
            aria-label={t('orders.refund.unitsOf', { title, count: most })}
            value={units}
            onChange={(entered) => onUnits(typeof entered === 'number' ? entered : 0)}
            min={0}
            max={most}
            clampBehavior="strict"
            allowDecimal={false}
            w={72}
            flex="none"
          />
          <Text c="dimmed" className="number" aria-hidden>
            / {most}
          </Text>
        </Group>
      </Group>
      {units > 0 && restock !== undefined && (
        <Checkbox
          size="xs"
          ms={48}
          label={t('orders.refund.onSale')}
          aria-label={t('orders.refund.restockOf', { title })}
          checked={restock}
          onChange={(event) => onRestock(event.currentTarget.checked)}
        />
      )}
    </Stack>
  )
}
