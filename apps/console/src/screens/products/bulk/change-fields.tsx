import type { ReactNode } from 'react'
import type { BulkDeed, ChangeDraft } from './change-draft.ts'
import { PriceFields } from './price-fields.tsx'
import { CategoryFields, TagFields } from './list-fields.tsx'

export interface ChangeFieldsProps {
  draft: ChangeDraft
  onChange: (fields: Partial<ChangeDraft>) => void
}

/** What has to be entered for a bulk edit; nothing for some. */
export function ChangeFields({ deed, ...props }: ChangeFieldsProps & { deed: BulkDeed }): ReactNode {
  if (deed === 'sale' || deed === 'price') return <PriceFields isSale={deed === 'sale'} {...props} />
  if (deed === 'tags') return <TagFields {...props} />
  return deed === 'categories' ? <CategoryFields {...props} /> : null
}
