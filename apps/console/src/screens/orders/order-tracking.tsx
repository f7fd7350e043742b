import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../session.ts'
import { Card } from '../../parts/card.tsx'
import type { OrderDialog } from './order-dialogs.tsx'
import type { OrderSteps } from './order-steps.ts'
import type { Order } from './orders-queries.ts'

interface TrackingCardProps {
  order: Order
  steps: OrderSteps
  onOpen: (dialog: OrderDialog) => void
}

/** Where the parcel can be tracked. */
export function TrackingCard({ order: { tracking }, steps, onOpen }: TrackingCardProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const mayChange = can('orders:write') && steps.track
  if (!tracking && !mayChange) return null
  return (
    <Card
      title={t('orders.tracking.title')}
      action={
        mayChange && (
          <Button variant="subtle" size="compact-sm" onClick={() => onOpen('tracking')}>
            {t(tracking ? 'orders.tracking.correct' : 'orders.tracking.add')}
          </Button>
        )
      }
    >
      {tracking ? (
        <Stack gap={4} align="flex-start">
          <Text size="sm">{tracking.carrier}</Text>
          <TrackingCode code={tracking.code} url={tracking.url} />
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('orders.tracking.none')}
        </Text>
      )}
    </Card>
  )
}

function TrackingCode({ code, url }: { code: string; url: string }): ReactNode {
  const { t } = useTranslation()
  if (url === '') return <Text size="sm">{code}</Text>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm" className="wrap">
      {code === '' ? t('orders.tracking.page') : code}
    </Anchor>
  )
}
