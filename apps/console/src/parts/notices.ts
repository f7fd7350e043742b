import { notifications } from '@mantine/notifications'
import { createElement, type ReactNode } from 'react'
import { messageOf } from '../shop.ts'
import { UndoNotice } from './undo-notice.tsx'

/** Long enough to read the sentence and to reach the button. */
const UNDO_MS = 10_000

/** Says that something is done. */
export function noticeDone(message: ReactNode): void {
  notifications.show({ message, color: 'teal', role: 'status' })
}

/** Says that something is done, with a button that takes it back. */
export function noticeUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
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
  notifications.show({ message: messageOf(error), color: 'red', role: 'alert', autoClose: false })
}
