import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { isTyped } from './is-typed.ts'
import type { DialogProps } from './use-dialog.tsx'

interface TypedConfirmationProps extends DialogProps {
  title: string
  /** What will be gone. */
  text: string
  /** What the person has to type, such as the name of the record. */
  word: string
  action: string
  /** On the button that does nothing, when “Cancel” could be misunderstood. */
  dismiss?: string
  /** What there is to choose, between the text and the word. */
  children?: ReactNode
  onConfirm: () => void
}

/** For what cannot be undone: the person types the name of the record. */
export function TypedConfirmation(props: TypedConfirmationProps): ReactNode {
  const { opened, title, text, word, action, dismiss, children, onClose, onConfirm } = props
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const close = (): void => {
    setTyped('')
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isTyped(typed, word)) return
          close()
          onConfirm()
        }}
      >
        <Stack>
          <Text>{text}</Text>
          {children}
          <TextInput
            data-autofocus
            label={t('common.typeToConfirm', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
          <Group justify="flex-end">
            <Button onClick={close}>{dismiss ?? t('common.cancel')}</Button>
            <Button variant="filled" type="submit" color="red" disabled={!isTyped(typed, word)}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
