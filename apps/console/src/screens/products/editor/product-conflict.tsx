import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConflictDialog, type ConflictHandlers } from '../../../parts/conflict-dialog.tsx'
import type { Conflict } from './conflict.ts'
import { useFieldNames } from './use-field-names.ts'

interface ProductConflictProps extends ConflictHandlers {
  conflict: Conflict
}

/** Someone else saved the product, or its stock has changed. */
export function ProductConflict({ conflict, ...handlers }: ProductConflictProps): ReactNode {
  const { t } = useTranslation()
  const namesOf = useFieldNames()
  const { by, theirFields, myFields } = conflict
  return (
    <ConflictDialog
      by={by}
      otherwise={t('products.conflict.stock')}
      theirs={namesOf(theirFields)}
      mine={namesOf(myFields)}
      both={namesOf(myFields.filter((field) => theirFields.includes(field)))}
      {...handlers}
    />
  )
}
