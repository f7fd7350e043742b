import { Group, NumberInput, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SELECT_ON_FOCUS } from '../../parts/select-on-focus.ts'
import { LineName } from './order-items.tsx'
import type { LineUnits } from './parcels.ts'

interface ParcelLinesProps {
  /** What is still to be sent. */
  left: readonly LineUnits[]
  /** How much of it is in this parcel. */
  parcel: readonly LineUnits[]
  onChange: (lineId: string, quantity: number) => void
}

/** How many units of each line are in the parcel. */
export function ParcelLines({ left, parcel, onChange }: ParcelLinesProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('orders.ship.pieces')}</Text>
      {left.map(({ line, quantity }, place) => (
        <Group key={line.id} justify="space-between" wrap="nowrap">
          <LineName line={line} />
          <Group gap="xs" wrap="nowrap">
            <NumberInput
              {...SELECT_ON_FOCUS}
              aria-label={t('orders.ship.piecesOf', { title: line.title, count: quantity })}
              value={parcel[place]?.quantity ?? 0}
              onChange={(chosen) => onChange(line.id, typeof chosen === 'number' ? chosen : 0)}
              min={0}
              max={quantity}
              clampBehavior="strict"
              allowDecimal={false}
              w={72}
              flex="none"
            />
            <Text c="dimmed" className="number" aria-hidden>
              / {quantity}
            </Text>
          </Group>
        </Group>
      ))}
    </Stack>
  )
}
