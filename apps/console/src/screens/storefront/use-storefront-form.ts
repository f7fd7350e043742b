import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from '../../parts/notices.ts'
import { changesOf, merged, withValue, type Document, type Path } from './document.ts'
import { attemptSave } from './save-storefront.ts'
import { versionOf } from './storefront-queries.ts'
import { useEditedDocument } from './use-edited-document.ts'
import { useResetSection } from './use-reset-section.ts'

/** The configuration while it is edited, which a save does not overwrite blindly. */
export function useStorefrontForm(stored: Document) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const edited = useEditedDocument(stored)
  const { saved, document, cleaned, isDirty, faults, conflict, setDocument, setConflict, show } = edited
  const [isSaving, setSaving] = useState(false)
  const resetSection = useResetSection(edited)

  /** @param shown what was edited, as the fields show it */
  async function saveFrom(read: Document, wanted: Document, shown: Document): Promise<void> {
    setSaving(true)
    try {
      const attempt = await attemptSave(read, wanted, client)
      if (attempt.kind === 'faults') edited.setFaults(attempt.faults)
      else if (attempt.kind === 'conflict') setConflict(attempt.conflict)
      else if (attempt.kind === 'failed') noticeFailure(attempt.error)
      else {
        const now = await edited.continueFrom(shown)
        edited.noticeSaved(t('storefront.saved'), versionOf(read), attempt.version, now)
      }
    } catch (error) {
      noticeFailure(error)
    } finally {
      setSaving(false)
    }
  }

  return {
    saved,
    document,
    faults,
    isDirty,
    isSaving,
    conflict,
    set: (path: Path, value: unknown) => setDocument((before) => withValue(before, path, value)),
    save: () => {
      if (isDirty && !isSaving) void saveFrom(saved, cleaned, document)
    },
    discard: () => show(saved),
    closeConflict: () => setConflict(undefined),
    loadTheirs: () => conflict && show(conflict.theirs),
    keepMine: () => {
      if (!conflict) return
      const both = merged(conflict.theirs, changesOf(saved, cleaned))
      show(conflict.theirs, both)
      void saveFrom(conflict.theirs, both, both)
    },
    resetSection,
  }
}
