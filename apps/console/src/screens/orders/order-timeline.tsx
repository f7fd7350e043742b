import { Skeleton, Text, Timeline } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../parts/loading-state.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { Card } from '../../parts/card.tsx'
import type { Order, TimelineStep } from './orders-queries.ts'
import { sentenceOf } from './timeline-sentence.ts'

interface OrderTimelineProps {
  order: Order
  timeline: Pick<UseQueryResult<{ items: TimelineStep[] }>, 'data' | 'error' | 'isLoadingError' | 'refetch'>
}

/** What happened to the order, the latest first, with who did it. Notes have a place of their own. */
export function OrderTimeline({ order, timeline }: OrderTimelineProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('orders.timeline.title')}>
      {timeline.data ? (
        <Timeline bulletSize={12} lineWidth={2}>
          {timeline.data.items
            .filter(({ kind }) => kind !== 'note')
            .toReversed()
            .map((step, place) => (
              <Timeline.Item key={place} mt={place === 0 ? 0 : 'sm'}>
                <Step step={step} lines={order.lines} />
              </Timeline.Item>
            ))}
        </Timeline>
      ) : (
        <LoadingState queries={[timeline]} waiting={<Skeleton height={120} />} />
      )}
    </Card>
  )
}

function Step({ step, lines }: { step: TimelineStep; lines: Order['lines'] }): ReactNode {
  const { t } = useTranslation()
  const reason = step.detail['reason']
  const name = step.by?.name ?? undefined
  return (
    <>
      <Text>{sentenceOf(step, t, lines)}</Text>
      {typeof reason === 'string' && <Text c="dimmed">{reason}</Text>}
      <Text className="small dimmed">
        <RelativeTime at={step.at} />
        {step.actor !== undefined && ` · ${name ?? t('orders.timeline.someone')}`}
      </Text>
    </>
  )
}
