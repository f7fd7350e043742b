import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { isConflict, shop } from '../../shop.ts'
import { showChanged, type Order } from './orders-queries.ts'
import type { Tracking } from './tracking-fields.tsx'
import { isInvalidTransition } from './use-order-change.ts'
import { useRequestKey } from './use-request-key.ts'

interface WantedParcel {
  lines?: { lineId: string; quantity: number }[]
  tracking: Tracking | null
}

/** Sends a parcel. A parcel that is sent again because no response came is recorded only once. */
export function useShip({ id }: Order): UseMutationResult<Order, Error, WantedParcel> {
  const { t } = useTranslation()
  const keyOf = useRequestKey()
  return useMutation({
    mutationFn: (body: WantedParcel) => {
      const header = { 'idempotency-key': keyOf(body) }
      return shop.post('/admin/orders/{id}/fulfilments', { params: { path: { id }, header }, body })
    },
    onSuccess: (order) => {
      showChanged(order)
      noticeDone(t(order.status === 'fulfilled' ? 'orders.done.shipped' : 'orders.done.parcel'))
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: ['orders'] })
      // Also when some of these pieces were sent in another parcel.
      noticeFailure(isInvalidTransition(error) || isConflict(error) ? new Error(t('orders.changedMeanwhile')) : error)
    },
  })
}
