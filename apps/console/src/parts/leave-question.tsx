import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Question } from './question.tsx'

/** Keeps a person from losing what is not saved, by a link, the back button or the end of the window. */
export function LeaveQuestion({ isDirty }: { isDirty: boolean }): ReactNode {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Question
      opened={status === 'blocked'}
      title={t('common.leave.title')}
      text={t('common.leave.text')}
      action={t('common.leave.action')}
      cancel={t('common.leave.stay')}
      dangerous
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    />
  )
}
