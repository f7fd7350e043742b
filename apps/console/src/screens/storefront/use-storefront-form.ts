import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { changesOf, withValue, type Document, type Path } from './document.ts'
import type { Section } from './fields.ts'
import { attemptSave, type Conflict } from './save-storefront.ts'
import { deleteSetting, refreshStorefront, restoreVersion, storefrontQuery, versionOf } from './storefront-queries.ts'
import { withoutBlankLines } from './without-blank-lines.ts'

interface StorefrontForm {
  /** As it was read. */
  saved: Document
  /** With what is not saved yet. */
  document: Document
  faults: Readonly<Record<string, string>>
  isDirty: boolean
  isSaving: boolean
  conflict: Conflict | undefined
  set: (path: Path, value: unknown) => void
  save: () => void
  discard: () => void
  closeConflict: () => void
  loadTheirs: () => void
  keepMine: () => void
  resetSection: (section: Section) => void
}

const NO_FAULTS: Readonly<Record<string, string>> = {}

/** The configuration while it is edited, which a save does not overwrite blindly. */
export function useStorefrontForm(stored: Document): StorefrontForm {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [saved, setSaved] = useState(stored)
  const [document, setDocument] = useState(stored)
  const [faults, setFaults] = useState(NO_FAULTS)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const cleaned = withoutBlankLines(document, saved)
  const isDirty = Object.keys(changesOf(saved, cleaned)).length > 0

  function show(next: Document, edited = next): void {
    setSaved(next)
    setDocument(edited)
    setFaults(NO_FAULTS)
    setConflict(undefined)
  }

  // It was restored, or changed by someone else: what is being edited stays.
  useEffect(() => {
    if (!isDirty && versionOf(stored) !== versionOf(saved)) show(stored)
  }, [stored])

  async function refresh(): Promise<void> {
    await refreshStorefront(client)
    show(await client.fetchQuery({ ...storefrontQuery, staleTime: 0 }))
  }

  /** The version before is restored, as long as no other follows. */
  const undoOf = (before: number, now: number) => async (): Promise<void> => {
    await restoreVersion(before, now)
    await refresh()
    noticeDone(t('storefront.undone'))
  }

  async function saveFrom(read: Document, edited: Document): Promise<void> {
    setSaving(true)
    const attempt = await attemptSave(read, edited, client)
    setSaving(false)
    if (attempt.kind === 'faults') setFaults(attempt.faults)
    else if (attempt.kind === 'conflict') setConflict(attempt.conflict)
    else if (attempt.kind === 'failed') noticeFailure(attempt.error)
    else {
      await refresh()
      noticeUndo(t('storefront.saved'), undoOf(versionOf(read), attempt.version))
    }
  }

  async function removeAll({ name, roots }: Section): Promise<void> {
    let version = versionOf(saved)
    for (const root of roots) version = await deleteSetting(root, { version })
    await refresh()
    const before = versionOf(saved)
    if (version === before) noticeDone(t('storefront.isDefault'))
    else noticeUndo(t('storefront.reset', { section: t(`storefront.section.${name}`) }), undoOf(before, version))
  }

  return {
    saved,
    document,
    faults,
    isDirty,
    isSaving,
    conflict,
    set: (path, value) => setDocument((before) => withValue(before, path, value)),
    save: () => {
      if (isDirty && !isSaving) void saveFrom(saved, cleaned)
    },
    discard: () => show(saved),
    closeConflict: () => setConflict(undefined),
    loadTheirs: () => conflict && show(conflict.theirs),
    keepMine: () => {
      if (!conflict) return
      show(conflict.theirs, conflict.both)
      void saveFrom(conflict.theirs, conflict.both)
    },
    resetSection: (section) => void removeAll(section).catch(noticeFailure),
  }
}
