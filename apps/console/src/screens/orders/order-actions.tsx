import { ActionIcon, Button, Menu } from '@mantine/core'
import { DotsHorizontalIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../session.ts'
import type { OrderDialog } from './order-dialogs.tsx'
import type { OrderSteps } from './order-steps.ts'
import type { Order } from './orders-queries.ts'
import { useOrderChange } from './use-order-change.ts'

interface OrderActionsProps {
  order: Order
  steps: OrderSteps
  onOpen: (dialog: OrderDialog) => void
}

/** What may be done with the order now, the likely next step last and filled. */
export function OrderActions({ order, steps, onOpen }: OrderActionsProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const change = useOrderChange(order)
  if (!can('orders:write')) return null
  const isUnpaid = steps.recordPayment && order.status === 'placed'
  const isReady = !isUnpaid && !steps.acceptPayment
  return (
    <>
      {steps.cancel && <MoreActions onCancel={() => onOpen('cancel')} />}
      {steps.refund && (
        <Button variant="default" onClick={() => onOpen('refund')}>
          {t('orders.actions.refund')}
        </Button>
      )}
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
          loading={change.isPending}
          onClick={() => change.mutate({ body: { status: 'delivered' }, done: t('orders.done.delivered') })}
        >
          {t('orders.actions.deliver')}
        </Button>
      )}
    </>
  )
}

function MoreActions({ onCancel }: { onCancel: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('orders.actions.more')}>
          <DotsHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item color="red" onClick={onCancel}>
          {t('orders.actions.cancel')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
