import { Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import type { Deed } from './use-deed.tsx'

interface TypedDeedDialogProps {
  opened: boolean
  title: string
  /** What will be gone. */
  text: string
  /** What the person has to type, such as the name of the record. */
  word: string
  action: string
  deed: Deed<undefined>
  onClose: () => void
}

/** For what cannot be undone: as `TypedConfirmation`, but it stays open until the shop has done it. */
export function TypedDeedDialog({ opened, title, text, word, action, deed, onClose }: TypedDeedDialogProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  return (
    <FormDialog
      opened={opened}
      title={title}
      action={action}
      isDangerous
      isPending={deed.isPending}
      isDisabled={typed.trim() !== word}
      error={deed.error}
      onSubmit={(event) => {
        event.preventDefault()
        deed.start(undefined)
      }}
      onClose={onClose}
      over={deed.over}
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
