import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UnsavedChangesDialog } from './unsaved-changes-dialog.tsx'

interface UnsavedChangesGuardProps {
  isDirty: boolean
  /** What happens to unsaved changes; by default the question says that they will be lost. */
  text?: string
}

/** Keeps a person from losing what is not saved, when they follow a link, go back or close the window. */
export function UnsavedChangesGuard({ isDirty, text }: UnsavedChangesGuardProps): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <UnsavedChangesDialog
      opened={status === 'blocked'}
      {...(text !== undefined && { text })}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  )
}
