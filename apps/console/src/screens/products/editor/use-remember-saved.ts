import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { noticeFailure, noticeUndo } from '../../../parts/notices.ts'
import { productQuery, PRODUCTS_KEY, type ReadProduct } from '../products-queries.ts'
import type { AnyEdit } from './attempt-save.ts'
import { formOf, type ProductForm } from './product-form.ts'
import { rebased } from './rebase-form.ts'
import { updateProduct, type Saved } from './save-product.ts'
import type { ProductFormState } from './use-product-form.ts'
import { undoneForm } from './variant-changes.ts'

/** What happens after a save: the editor goes on from the saved product, and the save can be undone. */
export function useRememberSaved(state: ProductFormState, currency: string) {
  const { t } = useTranslation()
  const queries = useQueryClient()

  function rememberCreated({ product, etag }: ReadProduct): void {
    const { queryKey } = productQuery(product.id)
    // A response that is on its way may be older.
    void queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, { product, etag })
    void queries.invalidateQueries({ queryKey: [PRODUCTS_KEY, 'list'] })
  }

  /** @param shown the form at that time: what was typed since stays on top of the saved product */
  function continueFrom(saved: Saved, shown: ProductForm): void {
    rememberCreated(saved)
    state.restart(saved, (current) => withFailedStock(rebased(current, shown, formOf(saved.product)), saved))
    for (const { id, message } of saved.stockFailures) {
      const sku = saved.product.variants.find((variant) => variant.id === id)?.sku
      noticeFailure(new Error(`${sku}: ${message}`))
    }
  }

  function rememberUpdated(saved: Saved, { before, form }: AnyEdit): void {
    continueFrom(saved, form)
    const savedForm = formOf(saved.product)
    const undo = { read: saved, before: savedForm, form: undoneForm(before, savedForm, saved.stockAdded) }
    noticeUndo(
      t('products.saved'),
      async () => continueFrom(await updateProduct(undo, currency, { undoes: true }), savedForm),
      t('products.undone'),
    )
  }

  return { rememberCreated, rememberUpdated }
}

/** A stock that could not be set stays as the person typed it. */
function withFailedStock(form: ProductForm, { stockFailures }: Saved): ProductForm {
  if (stockFailures.length === 0) return form
  const typed = new Map(stockFailures.map(({ id, quantity }) => [id, String(quantity)]))
  const variants = form.variants.map((row) => ({ ...row, stock: typed.get(row.id ?? '') ?? row.stock }))
  return { ...form, variants }
}
