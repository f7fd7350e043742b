import { Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import type { ConfirmedRequest } from './use-confirmed-request.tsx'

interface TypedActionDialogProps {
  opened: boolean
  title: string
  /** What will be gone. */
  text: string
  /** What the person has to type, such as the name of the record. */
  word: string
  action: string
  request: ConfirmedRequest<undefined>
  onClose: () => void
}

/** For what cannot be undone: as `TypedConfirmation`, but it stays open until the shop has done it. */
export function TypedActionDialog({
  opened,
  title,
  text,
  word,
  action,
  request,
  onClose,
}: TypedActionDialogProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  return (
    <FormDialog
      opened={opened}
      title={title}
      action={action}
      isDangerous
      isPending={request.isPending}
      isDisabled={typed.trim() !== word}
      error={request.error}
      onSubmit={() => request.start(undefined)}
      onClose={onClose}
      over={request.over}
    >
      <Text size="sm">{text}</Text>
      <TextInput
        data-autofocus
        label={t('common.typeToConfirm', { word })}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
