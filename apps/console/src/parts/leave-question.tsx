import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UnsavedQuestion } from './unsaved-question.tsx'

/** Keeps a person from losing what is not saved, by a link, the back button or the end of the window. */
export function LeaveQuestion({ isDirty }: { isDirty: boolean }): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return <UnsavedQuestion opened={status === 'blocked'} onStay={() => reset?.()} onLeave={() => proceed?.()} />
}
