import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import { useCan } from '../../session.ts'
import type { OrderPartProps } from './order-dialog.ts'
import { receivedIn } from './order-steps.ts'
import type { TimelineStep } from './orders-queries.ts'
import { useOrderChange } from './use-order-change.ts'

interface OrderAlertProps extends OrderPartProps {
  timeline: readonly TimelineStep[] | undefined
}

/** Why a person should look at the order, and what they can do. */
export function OrderAlert({ order, steps, timeline = [], onOpen }: OrderAlertProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const change = useOrderChange(order)
  const { attention, total } = order
  if (attention === undefined) return null
  const received = receivedIn(timeline)
  return (
    <Alert color="red" title={t(`orders.attention.${attention}`)} mb="md">
      <Text>
        {t(`orders.attentionText.${attention}`, {
          total: formatMoney(total),
          received: received ? formatMoney(received) : '',
        })}
      </Text>
      {can('orders:write') && (
        <Group mt="sm" gap="xs">
          {steps.acceptPayment && (
            <Button
              variant="filled"
              loading={change.isPending}
              onClick={() =>
                change.mutate({ body: { status: 'paid', attention: null }, done: t('orders.done.accepted') })
              }
            >
              {t('orders.actions.acceptPayment')}
            </Button>
          )}
          {steps.refund && <Button onClick={() => onOpen('refund')}>{t('orders.actions.refund')}</Button>}
          <Button
            loading={change.isPending}
            onClick={() => change.mutate({ body: { attention: null }, done: t('orders.done.checked') })}
          >
            {t('orders.actions.checked')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
