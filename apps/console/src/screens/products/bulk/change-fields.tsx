import type { ReactNode } from 'react'
import type { BulkActionName, ChangeFieldsProps } from './change-draft.ts'
import { PriceFields } from './price-fields.tsx'
import { CategoryFields, TagFields } from './list-fields.tsx'

/** What has to be entered for a bulk edit; nothing for some. */
export function ChangeFields({ action, ...props }: ChangeFieldsProps & { action: BulkActionName }): ReactNode {
  if (action === 'sale' || action === 'price') return <PriceFields isSale={action === 'sale'} {...props} />
  if (action === 'tags') return <TagFields {...props} />
  return action === 'categories' ? <CategoryFields {...props} /> : null
}
