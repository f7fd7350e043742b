import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../parts/money-input.tsx'
import { formatMoney, type Money } from '../../parts/money.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { isByProvider, isOpen } from './order-steps.ts'
import { Amount } from './order-totals.tsx'
import type { OrderDialogProps } from './order-dialog.ts'
import type { Order } from './orders-queries.ts'
import { providerName } from './provider-name.ts'
import { RefundLines } from './refund-lines.tsx'
import { useRefundForm } from './use-refund-form.ts'
import { useRefund } from './use-refund.ts'

interface RefundDialogProps extends OrderDialogProps {
  /** The most that may be refunded. */
  left: Money
}

/** Refunds units and shipping, or any other amount. */
export function RefundDialog({ order, left, ...dialog }: RefundDialogProps): ReactNode {
  const { t } = useTranslation()
  const refund = useRefund(order)
  const form = useRefundForm(order, left)
  const { money, restock } = form
  const isTooMuch = money.amount > left.amount
  return (
    <FormDialog
      size="lg"
      title={t('orders.refund.title', { number: order.number })}
      action={t('orders.refund.action', { amount: formatMoney(money) })}
      isPending={refund.isPending}
      isDisabled={money.amount <= 0 || isTooMuch || form.reference?.trim() === ''}
      error={refund.error}
      {...dialog}
      onSubmit={() => refund.mutate(form.wanted(), { onSuccess: dialog.onClose })}
    >
      <RefundLines order={order} choice={form.choice} onChange={form.choose} restock={restock} />
      <Group align="flex-start" grow>
        <MoneyInput
          label={t('orders.refund.amount')}
          description={t('orders.refund.most', { amount: formatMoney(left) })}
          error={isTooMuch ? t('orders.refund.tooMuch', { amount: formatMoney(left) }) : undefined}
          currency={left.currency}
          value={form.amount}
          onChange={form.enterAmount}
        />
        <TextInput
          label={t('orders.refund.reason')}
          description={t('orders.refund.reasonHint')}
          maxLength={500}
          value={form.reason}
          onChange={(event) => form.setReason(event.currentTarget.value)}
        />
      </Group>
      <RefundEffects order={order} money={money} isFull={form.isFull} hasUnits={form.hasUnits}>
        {restock.all !== undefined && (
          <Checkbox
            label={t('orders.refund.restock')}
            checked={restock.all === 'yes'}
            indeterminate={restock.all === 'mixed'}
            onChange={(event) => restock.setAll(event.currentTarget.checked)}
          />
        )}
        <ReferenceField order={order} reference={form.reference} onChange={form.setReference} />
      </RefundEffects>
    </FormDialog>
  )
}

interface RefundEffectsProps {
  order: Order
  money: Money
  isFull: boolean
  hasUnits: boolean
  children: ReactNode
}

/** What follows from the refund: who pays the money back, and what happens to the order and the stock. */
function RefundEffects({ order, money, isFull, hasUnits, children }: RefundEffectsProps): ReactNode {
  const { t } = useTranslation()
  const provider = providerName(order.payment.provider, t)
  return (
    <Stack gap="xs">
      {children}
      <Text c="dimmed">
        {t(isByProvider(order) ? 'orders.refund.byProvider' : 'orders.refund.byHand', { provider })}
        {isOpen(order) && isFull && ` ${t('orders.refund.willCancel')}`}
        {isOpen(order) && !isFull && hasUnits && ` ${t('orders.refund.notSent')}`}
        {!isFull && !hasUnits && ` ${t('orders.refund.noRestock')}`}
      </Text>
      <Amount label={t('orders.refund.toBuyer')} money={money} strong />
    </Stack>
  )
}

interface ReferenceFieldProps {
  order: Order
  reference: string | undefined
  onChange: (reference: string | undefined) => void
}

/** For a refund that was made at the provider: the shop then only records it, with the reference of the provider. */
function ReferenceField({ order, reference, onChange }: ReferenceFieldProps): ReactNode {
  const { t } = useTranslation()
  const { provider } = order.payment
  if (!isByProvider(order) || provider === 'demo') return null
  return (
    <>
      <Checkbox
        label={t('orders.refund.already', { provider: providerName(provider, t) })}
        checked={reference !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? '' : undefined)}
      />
      {reference !== undefined && (
        <TextInput
          label={t('orders.refund.reference')}
          required
          maxLength={200}
          autoComplete="off"
          value={reference}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  )
}
