import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { ProductEditor } from './editor/product-editor.tsx'
import { productQuery } from './products-queries.ts'

/** One product. Prices that are stored keep their currency, even when the shop's is another one by now. */
export function ProductScreen(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const read = useQuery(productQuery(id))
  if (!read.data) return <LoadingState queries={[read]} waiting={<ScreenWaiting />} />
  return <ProductEditor key={id} read={read.data} currency={read.data.product.price.currency} onCreated={() => {}} />
}
