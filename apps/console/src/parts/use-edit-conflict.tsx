import i18next from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isConflict } from '../shop.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { readEditConflict, rebased, type EditConflict, type EditedRecord } from './edit-conflict.ts'
import { noticeFailure } from './notices.ts'
import { showStored, type StoredForm } from './stored-form.ts'

interface EditConflictState<Values> {
  /** Called with the error of a save; one that is not a conflict is left to the form. */
  find: (error: unknown, before: Values) => Promise<void>
  isOpen: boolean
  dialog: ReactNode
}

/**
 * Lets a person decide when someone else saved first.
 * @param save saves the form on top of what the others have saved
 */
export function useEditConflict<Values>(
  record: EditedRecord<Values>,
  form: StoredForm<Values>,
  save: (before: Values, after: Values) => void,
): EditConflictState<Values> {
  const { t } = useTranslation()
  const [conflict, setConflict] = useState<EditConflict<Values>>()

  function keepMine(found: EditConflict<Values>): void {
    const next = rebased(record.fields, found)
    form.setInitialValues(found.theirs)
    form.setValues(next)
    setConflict(undefined)
    save(found.theirs, next)
  }

  async function find(error: unknown, before: Values): Promise<void> {
    if (!isConflict(error)) return
    try {
      const found = await readEditConflict(record, before, form.getValues)
      // They changed what is not edited here, such as the place in the list.
      if (found.theirFields.length === 0) keepMine(found)
      else setConflict(found)
    } catch (failure) {
      noticeFailure(failure)
    }
  }

  const both = conflict?.myFields.filter((field) => conflict.theirFields.includes(field)) ?? []
  return {
    find,
    isOpen: conflict !== undefined,
    dialog: conflict && (
      <ConflictDialog
        by={conflict.by}
        otherwise={t('common.conflict.unknown', { fields: listed(conflict.theirFields) })}
        theirs={listed(conflict.theirFields)}
        mine={listed(conflict.myFields)}
        both={listed(both)}
        onClose={() => setConflict(undefined)}
        onLoadTheirs={() => {
          showStored(form, conflict.theirs)
          setConflict(undefined)
        }}
        onKeepMine={() => keepMine(conflict)}
      />
    ),
  }
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat(i18next.language, { type: 'conjunction' }).format(names)
}
