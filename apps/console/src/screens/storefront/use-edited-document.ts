import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type SetStateAction } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeUndo } from '../../parts/notices.ts'
import { changesOf, merged, type Document } from './document.ts'
import type { Conflict } from './save-storefront.ts'
import { refreshStorefront, restoreVersion, storefrontQuery, versionOf } from './storefront-queries.ts'
import { withoutBlankLines } from './without-blank-lines.ts'

const NO_FAULTS: Readonly<Record<string, string>> = {}

export type EditedDocument = ReturnType<typeof useEditedDocument>

/** The configuration as it was read and as it is edited, with what stopped the last save. */
export function useEditedDocument(stored: Document) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [saved, setSaved] = useState(stored)
  const [document, setDocument] = useState(stored)
  const [faults, setFaults] = useState(NO_FAULTS)
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

  /** Offers to restore the version before a save, unless another version has followed. @param now after the save */
  function noticeSaved(message: string, before: number, version: number, now: Document): void {
    const undo = (): Promise<Document> => restoreVersion(before, version).then(() => continueFrom(now))
    noticeUndo(message, undo, t('storefront.undone'))
  }

  return {
    /** As it was read. */
    saved,
    /** With what is not saved yet. */
    document,
    /** As it is sent. */
    cleaned,
    isDirty,
    faults,
    conflict,
    setDocument,
    setFaults,
    setConflict,
    show,
    continueFrom,
    noticeSaved,
  }
}
