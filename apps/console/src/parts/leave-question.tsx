import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UnsavedQuestion } from './unsaved-question.tsx'

interface LeaveQuestionProps {
  isDirty: boolean
  /** What happens then, if it is not the loss of what was typed. */
  text?: string
}

/** Keeps a person from losing what is not saved, by a link, the back button or the end of the window. */
export function LeaveQuestion({ isDirty, text }: LeaveQuestionProps): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <UnsavedQuestion
      opened={status === 'blocked'}
      {...(text !== undefined && { text })}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  )
}
