import { t } from 'i18next'
import { AlreadyExists, exists } from '../../parts/already-exists.ts'
import { noticeDone, noticeUndo } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { bodyOf, type DiscountValues } from './discount-values.ts'
import { discountQuery, DISCOUNTS, type Discount } from './discounts-queries.ts'

/** @throws AlreadyExists when there is a discount with this code */
export async function createDiscount(values: DiscountValues): Promise<Discount> {
  const body = bodyOf(values, undefined)
  const reading = shop.get('/admin/discounts/{code}', { params: { path: { code: body.code } } })
  if (await exists(reading)) throw new AlreadyExists(t('discounts.fault.taken', { code: body.code }))
  const created = await shop.post('/admin/discounts', { body })
  remember(created)
  noticeDone(t('discounts.created', { code: created.code }))
  return created
}

/** Saves what was changed, with a notice to undo it. */
export async function changeDiscount(before: DiscountValues, after: DiscountValues): Promise<Discount> {
  const changed = await change(before, after)
  const { code } = changed
  noticeUndo(t('discounts.saved', { code }), () => change(after, before), t('discounts.restored', { code }))
  return changed
}

async function change(before: DiscountValues, after: DiscountValues): Promise<Discount> {
  const { code, ...body } = bodyOf(after, before)
  const changed = await shop.patch('/admin/discounts/{code}', { params: { path: { code } }, body })
  remember(changed)
  return changed
}

function remember(discount: Discount): void {
  queryClient.setQueryData(discountQuery(discount.code).queryKey, discount)
  void queryClient.invalidateQueries({ queryKey: DISCOUNTS })
}
