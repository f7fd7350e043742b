import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isTaxIncluded } from '@storefront/contracts/tax-included'
import { formatMoney, type Money } from '../../parts/money.ts'
import { shopSettingsQuery } from '../../shop-settings.ts'
import type { Order } from './orders-queries.ts'

/** How the total comes about, and what went back to the buyer. */
export function OrderTotals({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const { refundedTotal } = order
  const method = useShippingMethod(order.shippingMethod)
  return (
    <Stack gap={4} mt="md" ml="auto" maw={360}>
      <TotalRows of={order} shippingLabel={t('orders.totals.shipping', { method })} />
      {refundedTotal.amount > 0 && (
        <Amount label={t('orders.totals.refunded')} money={{ ...refundedTotal, amount: -refundedTotal.amount }} />
      )}
    </Stack>
  )
}

interface TotalRowsProps {
  of: Pick<Order, 'subtotal' | 'discount' | 'discountCode' | 'shipping' | 'tax' | 'total'>
  shippingLabel: string
}

/** The rows that end with the total, of an order or of a draft. */
export function TotalRows({ of, shippingLabel }: TotalRowsProps): ReactNode {
  const { t } = useTranslation()
  const { subtotal, discount, discountCode, shipping, tax, total } = of
  const isIncluded = isTaxIncluded(of)
  return (
    <>
      <Amount label={t('orders.totals.subtotal')} money={subtotal} />
      {discount.amount > 0 && (
        <Amount
          label={t('orders.totals.discount', { code: discountCode?.code ?? '' })}
          money={{ ...discount, amount: -discount.amount }}
        />
      )}
      <Amount label={shippingLabel} money={shipping} />
      {!isIncluded && tax.amount > 0 && <Amount label={t('orders.totals.tax')} money={tax} />}
      <Amount label={t('orders.totals.total')} money={total} strong />
      {isIncluded && <Amount label={t('orders.totals.taxIncluded')} money={tax} dimmed />}
    </>
  )
}

interface AmountProps {
  label: string
  money: Money
  strong?: boolean
  dimmed?: boolean
}

export function Amount({ label, money, strong = false, dimmed = false }: AmountProps): ReactNode {
  return (
    <Group justify="space-between" wrap="nowrap" {...(dimmed && { c: 'dimmed' })}>
      <Text fw={strong ? 600 : 400}>{label}</Text>
      <Text fw={strong ? 600 : 400} className="number">
        {formatMoney(money)}
      </Text>
    </Group>
  )
}

/** The name of a shipping method, or its id when the shop no longer has it. */
function useShippingMethod(id: string): string {
  const methods = useQuery(shopSettingsQuery).data?.commerce?.shippingMethods ?? []
  return methods.find((method) => method.id === id)?.label ?? id
}
