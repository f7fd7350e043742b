import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { ProductEditor } from './editor/product-editor.tsx'
import { currencyOf, productQuery, storeQuery } from './products-queries.ts'

/** One product. */
export function ProductScreen(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const product = useQuery(productQuery(id))
  const store = useQuery(storeQuery)
  if (!product.data || !store.data) return <LoadingState queries={[product, store]} waiting={<ScreenWaiting />} />
  const currency = currencyOf(store.data, product.data.product)
  return <ProductEditor key={id} read={product.data} currency={currency} onCreated={() => {}} />
}
