import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type SetStateAction } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { changesOf, merged, withValue, type Document, type Path } from './document.ts'
import type { Section } from './fields.ts'
import { attemptSave, type Conflict } from './save-storefront.ts'
import { deleteSetting, refreshStorefront, restoreVersion, storefrontQuery, versionOf } from './storefront-queries.ts'
import { withoutBlankLines } from './without-blank-lines.ts'

const NO_FAULTS: Readonly<Record<string, string>> = {}

/** The configuration while it is edited, which a save does not overwrite blindly. */
export function useStorefrontForm(stored: Document) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [saved, setSaved] = useState(stored)
  const [document, setDocument] = useState(stored)
  const [faults, setFaults] = useState(NO_FAULTS)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const cleaned = withoutBlankLines(document, saved)
  const isDirty = Object.keys(changesOf(saved, cleaned)).length > 0

  function show(next: Document, edited: SetStateAction<Document> = next): void {
    setSaved(next)
    setDocument(edited)
    setFaults(NO_FAULTS)
    setConflict(undefined)
  }

  // The configuration was restored, or changed by someone else: unsaved changes stay.
  useEffect(() => {
    if (!isDirty && versionOf(stored) !== versionOf(saved)) show(stored)
  }, [stored])

  /** Goes on from what the shop has now. What was typed since stays. @param shown the document at that time */
  async function continueFrom(shown: Document): Promise<Document> {
    await refreshStorefront(client)
    const now = await client.fetchQuery({ ...storefrontQuery, staleTime: 0 })
    show(now, (typed) => merged(now, changesOf(shown, typed)))
    return now
  }

  /** Restores the version before the save, unless another version has followed. */
  const undoOf = (before: number, version: number, now: Document) => async (): Promise<void> => {
    await restoreVersion(before, version)
    await continueFrom(now)
    noticeDone(t('storefront.undone'))
  }

  /** @param shown what was edited, as the fields show it */
  async function saveFrom(read: Document, edited: Document, shown: Document): Promise<void> {
    setSaving(true)
    try {
      const attempt = await attemptSave(read, edited, client)
      if (attempt.kind === 'faults') setFaults(attempt.faults)
      else if (attempt.kind === 'conflict') setConflict(attempt.conflict)
      else if (attempt.kind === 'failed') noticeFailure(attempt.error)
      else noticeUndo(t('storefront.saved'), undoOf(versionOf(read), attempt.version, await continueFrom(shown)))
    } catch (error) {
      noticeFailure(error)
    } finally {
      setSaving(false)
    }
  }

  async function removeAll({ name, roots }: Section): Promise<void> {
    let version = versionOf(saved)
    try {
      for (const root of roots) version = await deleteSetting(root, { version })
    } catch (error) {
      noticeFailure(error)
      // Otherwise every later save would conflict with the parts that were reset before the failure.
      await continueFrom(document)
      return
    }
    const now = await continueFrom(document)
    const before = versionOf(saved)
    if (version === before) noticeDone(t('storefront.isDefault'))
    else noticeUndo(t('storefront.reset', { section: t(`storefront.section.${name}`) }), undoOf(before, version, now))
  }

  return {
    /** As it was read. */
    saved,
    /** With what is not saved yet. */
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
    resetSection: (section: Section) => void removeAll(section).catch(noticeFailure),
  }
}
