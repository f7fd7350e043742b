import { Anchor, Badge, Text, type MantineColor } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../parts/data-table.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { EVENT_NAMES, isEventType } from './event-types.ts'
import type { Delivery, DeliveryStatus } from './webhooks-queries.ts'

const COLORS: Record<DeliveryStatus, MantineColor> = {
  queued: 'gray',
  sending: 'blue',
  waiting: 'orange',
  delivered: 'teal',
  dead: 'red',
  superseded: 'gray',
}

export function StatusBadge({ status }: { status: DeliveryStatus }): ReactNode {
  const { t } = useTranslation()
  return <Badge color={COLORS[status]}>{t(`settings.webhooks.statuses.${status}`)}</Badge>
}

/** Whether it is a test, which the shop does not send again. */
export const isTest = ({ type }: Pick<Delivery, 'type'>): boolean => type === 'webhook.test'

/** @returns what happened, in words; the type itself where a later version of the shop has others */
export function eventName(type: string, t: TFunction): string {
  if (type === 'webhook.test') return t('settings.events.webhookTest')
  return isEventType(type) ? t(`settings.events.${EVENT_NAMES[type]}`) : type
}

export function deliveryColumns(t: TFunction, onOpen: (id: string) => void): Column<Delivery>[] {
  return [
    {
      id: 'type',
      header: t('settings.webhooks.type'),
      cell: ({ id, type }) => (
        <Anchor component="button" type="button" ta="left" c="inherit" fw={600} onClick={() => onOpen(id)}>
          {eventName(type, t)}
        </Anchor>
      ),
    },
    {
      id: 'endpoint',
      header: t('settings.webhooks.endpoint'),
      secondary: true,
      cell: ({ endpoint }) => <Text className="wrap">{endpoint.url}</Text>,
    },
    { id: 'status', header: t('settings.webhooks.state'), cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'attempts',
      header: t('settings.webhooks.attempts'),
      number: true,
      secondary: true,
      cell: ({ attempts }) => attempts,
    },
    {
      id: 'answer',
      header: t('settings.webhooks.answer'),
      secondary: true,
      cell: ({ lastStatus, lastError }) => lastError ?? lastStatus ?? '–',
    },
    { id: 'at', header: t('settings.webhooks.at'), cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ]
}
