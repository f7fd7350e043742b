import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../session.ts'
import { Card } from '../../parts/card.tsx'
import type { OrderPartProps } from './order-dialog.ts'
import type { Tracking } from './tracking-fields.tsx'

/** Where the parcel can be tracked, of an order without a list of parcels. */
export function TrackingCard({ order: { tracking }, steps, onOpen }: OrderPartProps): ReactNode {
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
          <TrackingLines tracking={tracking} />
        </Stack>
      ) : (
        <Text c="dimmed">{t('orders.tracking.none')}</Text>
      )}
    </Card>
  )
}

export function TrackingLines({ tracking: { carrier, code, url } }: { tracking: Tracking }): ReactNode {
  return (
    <>
      <Text>{carrier}</Text>
      <TrackingCode code={code} url={url} />
    </>
  )
}

function TrackingCode({ code, url }: { code: string; url: string }): ReactNode {
  const { t } = useTranslation()
  if (url === '') return <Text>{code}</Text>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" className="wrap">
      {code === '' ? t('orders.tracking.page') : code}
    </Anchor>
  )
}
