import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { shopCurrencyOf, shopSettingsQuery } from '../../shop-settings.ts'
import { ProductEditor } from './editor/product-editor.tsx'

/** A product that does not exist yet. */
export function NewProductScreen(): ReactNode {
  const navigate = useNavigate()
  const settings = useQuery(shopSettingsQuery)
  if (!settings.data) return <LoadingState queries={[settings]} waiting={<ScreenWaiting />} />
  return (
    <ProductEditor
      read={undefined}
      currency={shopCurrencyOf(settings.data)}
      onCreated={({ product }) =>
        void navigate({ to: '/products/$id', params: { id: product.id }, replace: true, ignoreBlocker: true })
      }
    />
  )
}
