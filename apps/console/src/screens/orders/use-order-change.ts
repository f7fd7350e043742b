import { StorefrontError } from '@storefront/client'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { showChanged, type Order, type OrderChange } from './orders-queries.ts'

/** A change, or a function that makes it from the order as it is stored when the change is sent. */
type Change = OrderChange | ((current: Order) => OrderChange)

export interface WantedChange {
  body: Change
  /** The notice that says what was done. */
  done: string
  /** The change that undoes it. */
  undo?: Change
}

/** Changes an order. When it was changed elsewhere meanwhile, its current state is shown. */
export function useOrderChange({ id }: Order): UseMutationResult<Order, Error, WantedChange> {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: ({ body }: WantedChange) => patch(id, body),
    onSuccess: (order, { done, undo }) => {
      showChanged(order)
      if (undo) noticeUndo(done, async () => showChanged(await patch(id, undo)))
      else noticeDone(done)
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: ['orders'] })
      noticeFailure(isInvalidTransition(error) ? new Error(t('orders.changedMeanwhile')) : error)
    },
  })
}

async function patch(id: string, change: Change): Promise<Order> {
  const params = { path: { id } }
  const body = typeof change === 'function' ? change(await shop.get('/admin/orders/{id}', { params })) : change
  return shop.patch('/admin/orders/{id}', { params, body })
}

/** Whether the order's status no longer allows the change. */
export function isInvalidTransition(error: unknown): boolean {
  return error instanceof StorefrontError && error.code === 'invalid_transition'
}
