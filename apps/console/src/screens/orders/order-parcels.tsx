import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { useCan } from '../../session.ts'
import type { OrderPartProps } from './order-dialog.ts'
import { TrackingLines } from './order-tracking.tsx'
import type { Order } from './orders-queries.ts'
import { contentOf, wasPartlySent, trackedParcel, type Parcel } from './parcels.ts'

export function ParcelsCard({ order, steps, onOpen }: OrderPartProps): ReactNode {
  const { t } = useTranslation()
  const mayChange = useCan()('orders:write') && steps.track
  const { fulfilments = [] } = order
  const corrected = trackedParcel(order)
  return (
    <Card title={t('orders.parcels.title')}>
      <Stack gap="md">
        {fulfilments.map((parcel, place) => (
          <div key={parcel.id}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Text fw={600}>{t('orders.parcels.nth', { number: place + 1 })}</Text>
              {mayChange && parcel.id === corrected?.id && (
                <Button variant="subtle" size="compact-sm" onClick={() => onOpen('tracking')}>
                  {t(parcel.tracking ? 'orders.tracking.correct' : 'orders.tracking.add')}
                </Button>
              )}
            </Group>
            <ParcelContent order={order} parcel={parcel} />
          </div>
        ))}
      </Stack>
    </Card>
  )
}

function ParcelContent({ order, parcel }: { order: Order; parcel: Parcel }): ReactNode {
  const { t } = useTranslation()
  const isWhole = order.fulfilments?.length === 1 && !wasPartlySent(order)
  return (
    <Stack gap={4} align="flex-start">
      {!isWhole &&
        contentOf(order, parcel).map(({ line, quantity }) => (
          <Text key={line.id}>
            {quantity} × {[line.title, ...Object.values(line.options)].join(', ')}
          </Text>
        ))}
      {parcel.tracking ? (
        <TrackingLines tracking={parcel.tracking} />
      ) : (
        <Text c="dimmed">{t('orders.tracking.none')}</Text>
      )}
      <Text className="small dimmed">
        <RelativeTime at={parcel.createdAt} />
      </Text>
    </Stack>
  )
}
