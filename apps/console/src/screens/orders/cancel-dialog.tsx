import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney, type Money } from '../../parts/money.ts'
import { noticeFailure } from '../../parts/notices.ts'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { shopSettingsQuery } from '../../shop-settings.ts'
import type { Order } from './orders-queries.ts'
import { isPartlySent } from './parcels.ts'
import { useOrderChange } from './use-order-change.ts'
import { useRefund } from './use-refund.ts'

interface CancelDialogProps {
  order: Order
  left: Money
  onClose: () => void
}

/**
 * An order that was not sent is canceled. A full refund cancels it as well, and only with that the goods may stay off
 * sale: an order that is canceled without it always returns them.
 */
export function CancelDialog({ order, left, onClose }: CancelDialogProps): ReactNode {
  const { t } = useTranslation()
  const restocks = useQuery(shopSettingsQuery).data?.checkout?.restockOnRefund ?? true
  const change = useOrderChange(order)
  const refund = useRefund(order)
  const [money, setMoney] = useState<'refund' | 'keep'>(left.amount > 0 ? 'refund' : 'keep')
  const [restock, setRestock] = useState<boolean>()

  function cancel(): void {
    if (money === 'keep') change.mutate({ body: { status: 'cancelled' }, done: t('orders.done.cancelled') })
    // The dialog has closed by then.
    else refund.mutateAsync({ amount: left, restock: restock ?? restocks }).catch(noticeFailure)
  }
  return (
    <TypedConfirmation
      opened
      title={t('orders.cancel.title', { number: order.number })}
      text={t('orders.cancel.text')}
      word={order.number}
      action={t('orders.cancel.action')}
      dismiss={t('orders.cancel.dismiss')}
      onClose={onClose}
      onConfirm={cancel}
    >
      {left.amount > 0 && (
        <Radio.Group
          label={t('orders.cancel.money', { amount: formatMoney(left) })}
          value={money}
          onChange={(value) => setMoney(value === 'refund' ? 'refund' : 'keep')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="refund" label={t('orders.cancel.refund')} />
            <Radio value="keep" label={t('orders.cancel.keep')} />
          </Stack>
        </Radio.Group>
      )}
      {money === 'refund' ? (
        <Checkbox
          label={t('orders.refund.restock')}
          checked={restock ?? restocks}
          onChange={(event) => setRestock(event.currentTarget.checked)}
        />
      ) : (
        <Text size="sm">{t(isPartlySent(order) ? 'orders.cancel.restocksLeft' : 'orders.cancel.restocks')}</Text>
      )}
    </TypedConfirmation>
  )
}
