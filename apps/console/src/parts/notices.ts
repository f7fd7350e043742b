import { notifications, type NotificationData } from '@mantine/notifications'
import { t } from 'i18next'
import { createElement, type ReactNode } from 'react'
import { messageOf } from '../shop.ts'
import { UndoNotice } from './undo-notice.tsx'

/** Long enough to read the sentence and to reach the button. */
const UNDO_MS = 10_000

/** More would cover the page. */
const MAX_SHOWN = 4
let passing: string[] = []

/**
 * Takes the place of the oldest notice when there are many: the library would keep a new one back until an older one has
 * gone, and with it the button to undo what was just done.
 * @returns the id of the notice
 */
export function showNotice(notice: NotificationData): string {
  const id = notifications.show({ ...notice, closeButtonProps: { 'aria-label': t('common.close') } })
  if (notice.autoClose === false) return id
  passing = [...passing, id]
  for (const old of passing.slice(0, -MAX_SHOWN)) notifications.hide(old)
  passing = passing.slice(-MAX_SHOWN)
  return id
}

export function noticeDone(message: ReactNode): void {
  showNotice({ message, color: 'teal', role: 'status' })
}

/**
 * Says that something is done, with a button to undo it.
 * @param undone the text that is shown then, unless `undo` shows one
 */
export function noticeUndo(message: string, undo: () => Promise<unknown>, undone?: string): void {
  const id = showNotice({
    message: createElement(UndoNotice, {
      message,
      onUndo: () => {
        notifications.hide(id)
        undo()
          .then(() => undone !== undefined && noticeDone(undone))
          .catch(noticeFailure)
      },
    }),
    color: 'teal',
    role: 'status',
    autoClose: UNDO_MS,
  })
}

/** Says why something was not done. It stays until it is closed. */
export function noticeFailure(error: unknown): void {
  showNotice({ message: messageOf(error), color: 'red', role: 'alert', autoClose: false })
}

/** Waits for what a person has started. @returns whether it succeeded; if not, a notice says why */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    noticeFailure(error)
    return false
  }
}
