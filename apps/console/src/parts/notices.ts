import { notifications, type NotificationData } from '@mantine/notifications'
import { t } from 'i18next'
import { createElement, type ReactNode } from 'react'
import { messageOf } from '../shop.ts'
import { UndoNotice } from './undo-notice.tsx'

/** Long enough to read the sentence and to reach the button. */
const UNDO_MS = 10_000

/** @returns the id of the notice */
export function showNotice(notice: NotificationData): string {
  return notifications.show({ ...notice, closeButtonProps: { 'aria-label': t('common.close') } })
}

/** Says that something is done. */
export function noticeDone(message: ReactNode): void {
  showNotice({ message, color: 'teal', role: 'status' })
}

/** Says that something is done, with a button that takes it back. */
export function noticeUndo(message: string, undo: () => Promise<unknown>): void {
  const id = showNotice({
    message: createElement(UndoNotice, {
      message,
      onUndo: () => {
        notifications.hide(id)
        undo().catch(noticeFailure)
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
