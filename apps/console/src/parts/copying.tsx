import { useClipboard } from '@mantine/hooks'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from './notices.ts'

interface CopyingProps {
  value: string
  children: (state: { copied: boolean; copy: () => void }) => ReactNode
}

/** Copies a text for a button. Browsers allow it only with TLS: elsewhere a notice has the text to be selected. */
export function Copying({ value, children }: CopyingProps): ReactNode {
  const { t } = useTranslation()
  const { copied, copy, error } = useClipboard({ timeout: 3000 })
  // Each attempt has an error of its own.
  useEffect(() => {
    if (error) noticeFailure(new Error(t('common.notCopied', { value })))
  }, [error])
  return children({ copied, copy: () => copy(value) })
}
