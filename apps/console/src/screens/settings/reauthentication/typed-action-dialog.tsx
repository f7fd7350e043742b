import { Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { isTyped } from '../../../parts/is-typed.ts'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import type { ConfirmedRequest } from './use-confirmed-request.tsx'

interface TypedActionDialogProps extends DialogProps {
  title: string
  /** What will be gone. */
  text: string
  /** What the person has to type, such as the name of the record. */
  word: string
  action: string
  request: ConfirmedRequest<undefined>
}

/** For what cannot be undone: as `TypedConfirmation`, but it stays open until the shop has done it. */
export function TypedActionDialog({ text, word, request, ...dialog }: TypedActionDialogProps): ReactNode {
  const { t } = useTranslation()
  const { start, ...state } = request
  const [typed, setTyped] = useState('')
  return (
    <FormDialog {...dialog} {...state} isDangerous isDisabled={!isTyped(typed, word)} onSubmit={() => start(undefined)}>
      <Text>{text}</Text>
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
