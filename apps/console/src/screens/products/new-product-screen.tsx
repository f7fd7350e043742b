import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { ProductEditor } from './editor/product-editor.tsx'
import { currencyOf, storeQuery } from './products-queries.ts'

/** A product that does not exist yet. */
export function NewProductScreen(): ReactNode {
  const navigate = useNavigate()
  const store = useQuery(storeQuery)
  if (!store.data) return <LoadingState queries={[store]} waiting={<ScreenWaiting />} />
  return (
    <ProductEditor
      read={undefined}
      currency={currencyOf(store.data)}
      onCreated={({ product }) =>
        void navigate({ to: '/products/$id', params: { id: product.id }, replace: true, ignoreBlocker: true })
      }
    />
  )
}
