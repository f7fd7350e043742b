import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorState } from '../../parts/error-state.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { ProductEditor } from './editor/product-editor.tsx'
import { currencyOf, productQuery, storeQuery } from './products-queries.ts'

/** One product. */
export function ProductScreen(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const product = useQuery(productQuery(id))
  const store = useQuery(storeQuery)
  const error = product.error ?? store.error
  // A product that was read stays: what was typed must not go away with a failed refresh.
  if (product.data && store.data) {
    const currency = currencyOf(store.data, product.data.product)
    return <ProductEditor key={id} read={product.data} currency={currency} onCreated={() => {}} />
  }
  return error ? <ErrorState error={error} onRetry={() => void product.refetch()} /> : <ScreenWaiting />
}
