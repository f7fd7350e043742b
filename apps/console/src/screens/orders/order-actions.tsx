import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../session.ts'
import { MoreActions } from './more-actions.tsx'
import type { OrderPartProps } from './order-dialog.ts'
import { useOrderChange } from './use-order-change.ts'

/** What may be done with the order now, the likely next step last and filled. */
export function OrderActions({ order, steps, onOpen }: OrderPartProps): ReactNode {
  const mayChange = useCan()('orders:write')
  return (
    <>
      <MoreActions order={order} steps={steps} onOpen={onOpen} />
      {mayChange && <NextSteps order={order} steps={steps} onOpen={onOpen} />}
    </>
  )
}

function NextSteps({ order, steps, onOpen }: OrderPartProps): ReactNode {
  const { t } = useTranslation()
  const change = useOrderChange(order)
  const isUnpaid = steps.recordPayment && order.status === 'placed'
  const isReady = !isUnpaid && !steps.acceptPayment
  return (
    <>
      {steps.refund && <Button onClick={() => onOpen('refund')}>{t('orders.actions.refund')}</Button>}
      {steps.ship && (
        <Button variant={isReady ? 'filled' : 'default'} onClick={() => onOpen('ship')}>
          {t('orders.actions.ship')}
        </Button>
      )}
      {steps.recordPayment && (
        <Button variant={isUnpaid ? 'filled' : 'default'} onClick={() => onOpen('payment')}>
          {t('orders.actions.recordPayment')}
        </Button>
      )}
      {steps.deliver && (
        <Button
          variant="filled"
          loading={change.isPending}
          onClick={() => change.mutate({ body: { status: 'delivered' }, done: t('orders.done.delivered') })}
        >
          {t('orders.actions.deliver')}
        </Button>
      )}
    </>
  )
}
