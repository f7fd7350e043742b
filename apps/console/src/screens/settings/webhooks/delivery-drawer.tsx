import { Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../parts/error-state.tsx'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { ShortId } from '../../../parts/short-id.tsx'
import { SideDrawer } from '../../../parts/side-drawer.tsx'
import { shop } from '../../../shop.ts'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { eventName, isTest, StatusBadge } from './delivery-columns.tsx'
import { deliveryQuery, refreshWebhooks, type WholeDelivery } from './webhooks-queries.ts'

/** One delivery: what was sent, what came back at each attempt, and sending it again. */
export function DeliveryDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const delivery = useQuery({ ...deliveryQuery(id ?? ''), enabled: id !== undefined })
  return (
    <SideDrawer opened={id !== undefined} onClose={onClose} title={t('settings.webhooks.delivery')}>
      {delivery.error ? (
        <ErrorState error={delivery.error} onRetry={() => void delivery.refetch()} />
      ) : delivery.data ? (
        <WholeDeliveryView delivery={delivery.data} />
      ) : (
        <Skeleton height={240} />
      )}
    </SideDrawer>
  )
}

function WholeDeliveryView({ delivery }: { delivery: WholeDelivery }): ReactNode {
  const { t } = useTranslation()
  const replay = useMutation({
    mutationFn: () => shop.post('/admin/webhooks/deliveries/{id}/replay', { params: { path: { id: delivery.id } } }),
    onSuccess: () => {
      noticeDone(t('settings.webhooks.replayed', { count: 1 }))
      return refreshWebhooks()
    },
    onError: noticeFailure,
  })
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text size="md" fw={600}>
              {eventName(delivery.type, t)}
            </Text>
            <StatusBadge status={delivery.status} />
          </Group>
          <Text c="dimmed" className="wrap">
            {delivery.endpoint.url} · <RelativeTime at={delivery.createdAt} />
          </Text>
        </div>
        {!isTest(delivery) && (
          <Button loading={replay.isPending} onClick={() => replay.mutate()}>
            {t('settings.webhooks.replay')}
          </Button>
        )}
      </Group>
      {delivery.nextAttemptAt !== null && (
        <Text>
          {t('settings.webhooks.nextAttempt')} <RelativeTime at={delivery.nextAttemptAt} />
        </Text>
      )}
      <Group gap="xs">
        <Text c="dimmed">{t('settings.webhooks.eventId')}</Text>
        <ShortId id={delivery.eventId} />
      </Group>
      <section aria-label={t('settings.webhooks.payload')}>
        <Title order={3} size="h5" mb={4}>
          {t('settings.webhooks.payload')}
        </Title>
        <Code block className="wrap text" tabIndex={0}>
          {JSON.stringify(delivery.payload, undefined, 2)}
        </Code>
      </section>
      <DeliveryAttempts attempts={delivery.attemptLog} />
    </Stack>
  )
}
