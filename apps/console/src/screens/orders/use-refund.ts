import { StorefrontError } from '@storefront/client'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { member } from '../../parts/json.ts'
import { formatMoney, type Money } from '../../parts/money.ts'
import { noticeDone } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { showChanged, type Order } from './orders-queries.ts'
import { useRequestKey } from './use-request-key.ts'

export interface WantedRefund {
  /** What the buyer paid for the lines, if missing. */
  amount?: Money
  lines?: { lineId: string; quantity: number; restock?: boolean }[]
  reason?: string
  restock?: boolean
  reference?: string
}

/** A payment provider may take a while. */
const TIMEOUT_MS = 20_000

/** Refunds an order. A refund that is sent again because no response came is made only once. */
export function useRefund({ id, total }: Order): UseMutationResult<Order, Error, WantedRefund> {
  const { t } = useTranslation()
  const keyOf = useRequestKey()
  return useMutation({
    mutationFn: async (body: WantedRefund) => {
      const header = { 'idempotency-key': keyOf(body) }
      return shop
        .post('/admin/orders/{id}/refunds', {
          params: { path: { id }, header },
          body,
          timeoutMs: TIMEOUT_MS,
        })
        .catch((error: unknown) => {
          if (wereUnitsRefunded(error)) throw new Error(t('orders.changedMeanwhile'))
          throw withAmountLeft(error, body.amount ?? total, (amount) => t('orders.refund.tooMuch', { amount }))
        })
    },
    onSuccess: (order) => {
      showChanged(order)
      const refund = order.refunds.at(-1)
      const done = refund?.status === 'pending' ? 'orders.done.refundPending' : 'orders.done.refunded'
      if (refund) noticeDone(t(done, { amount: formatMoney(refund.amount) }))
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['orders'] }),
  })
}

/** Whether some of these units were refunded in the meantime. */
function wereUnitsRefunded(error: unknown): boolean {
  return error instanceof StorefrontError && error.code === 'conflict' && member(error.detail, 'lines') !== undefined
}

/** The shop's sentence about an amount that is too large is written for programs; this one names what is left. */
function withAmountLeft(error: unknown, { currency }: Money, tooMuch: (left: string) => string): unknown {
  if (!(error instanceof StorefrontError) || error.code !== 'amount_too_large') return error
  const left = member(error.detail, 'left')
  return typeof left === 'number' ? new Error(tooMuch(formatMoney({ amount: left, currency }))) : error
}
