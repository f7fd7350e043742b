import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface UnsavedChangesDialogProps {
  opened: boolean
  /** What happens to unsaved changes; by default the question says that they will be lost. */
  text?: string
  onStay: () => void
  onLeave: () => void
}

/** Asks before something is left that is not saved. */
export function UnsavedChangesDialog({ opened, text, onStay, onLeave }: UnsavedChangesDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      opened={opened}
      title={t('common.leave.title')}
      text={text ?? t('common.leave.text')}
      action={t('common.leave.action')}
      cancel={t('common.leave.stay')}
      isDangerous
      staysOpen
      onClose={onStay}
      onConfirm={onLeave}
    />
  )
}
