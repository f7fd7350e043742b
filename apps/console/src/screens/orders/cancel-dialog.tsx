import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney, type Money } from '../../parts/money.ts'
import { noticeFailure } from '../../parts/notices.ts'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { shopSettingsQuery } from '../../shop-settings.ts'
import type { OrderDialogProps } from './order-dialog.ts'
import type { Order } from './orders-queries.ts'
import { isPartlySent, lineUnitsText, remainingToSend, sentUnits } from './parcels.ts'
import { amountOf } from './refund-amount.ts'
import { useOrderChange } from './use-order-change.ts'
import { useRefund } from './use-refund.ts'

interface CancelDialogProps extends OrderDialogProps {
  /** The most that may be refunded. */
  left: Money
}

/**
 * Cancels an order, with or without a refund. Only with a refund can the goods stay out of stock: a cancellation alone
 * always returns them.
 */
export function CancelDialog({ order, left, ...dialog }: CancelDialogProps): ReactNode {
  const { t } = useTranslation()
  const restocksByDefault = useQuery(shopSettingsQuery).data?.checkout?.restockOnRefund ?? true
  const change = useOrderChange(order)
  const refund = useRefund(order)
  const isPartly = isPartlySent(order)
  const unsent = remainingToSend(order)
  const units = Object.fromEntries(unsent.map(({ line, quantity }) => [line.id, quantity]))
  const part = { ...left, amount: Math.min(amountOf(order, { units, shipping: false }), left.amount) }
  const offersPart = isPartly && part.amount > 0 && part.amount < left.amount
  const offered = offersPart ? 'part' : 'refund'
  const [money, setMoney] = useState(left.amount === 0 ? 'keep' : offered)
  const [restock = restocksByDefault, setRestock] = useState<boolean>()

  async function cancel(): Promise<void> {
    // A full refund also cancels the order.
    if (money === 'refund') return void (await refund.mutateAsync({ amount: left, restock }))
    if (money === 'part') {
      const lines = unsent.map(({ line, quantity }) => ({ lineId: line.id, quantity, restock }))
      await refund.mutateAsync({ lines, restock })
    }
    change.mutate({ body: { status: 'cancelled' }, done: t('orders.done.cancelled') })
  }
  return (
    <TypedConfirmation
      title={t('orders.cancel.title', { number: order.number })}
      text={isPartly ? t('orders.cancel.textPartly', { sent: sentText(order) }) : t('orders.cancel.text')}
      word={order.number}
      action={t('orders.cancel.action')}
      dismiss={t('orders.cancel.dismiss')}
      {...dialog}
      // The dialog has closed by then, so a notice shows the error.
      onConfirm={() => void cancel().catch(noticeFailure)}
    >
      {left.amount > 0 && (
        <Radio.Group label={t('orders.cancel.money', { amount: formatMoney(left) })} value={money} onChange={setMoney}>
          <Stack gap="xs" mt="xs">
            {offersPart && <Radio value="part" label={t('orders.cancel.refundPart', { amount: formatMoney(part) })} />}
            <Radio value="refund" label={t(isPartly ? 'orders.cancel.refundAll' : 'orders.cancel.refund')} />
            <Radio value="keep" label={t('orders.cancel.keep')} />
          </Stack>
        </Radio.Group>
      )}
      {money !== 'keep' ? (
        <Checkbox
          label={t(isPartly ? 'orders.cancel.restockLeft' : 'orders.refund.restock')}
          checked={restock}
          onChange={(event) => setRestock(event.currentTarget.checked)}
        />
      ) : (
        <Text>{t(isPartly ? 'orders.cancel.restocksLeft' : 'orders.cancel.restocks')}</Text>
      )}
    </TypedConfirmation>
  )
}

function sentText(order: Order): string {
  const sent = sentUnits(order)
  return lineUnitsText(
    order.lines.flatMap((line) => {
      const quantity = sent.get(line.id) ?? 0
      return quantity > 0 ? [{ line, quantity }] : []
    }),
  )
}
