import { Button, Group, Stack } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { noticeFailure } from './notices.ts'
import { UnsavedChangesDialog } from './unsaved-changes-dialog.tsx'
import type { DialogProps } from './use-dialog.tsx'

export interface Over {
  opened: boolean
  dialog: ReactNode
}

interface FormDialogProps extends DialogProps {
  title: string
  /** The label of the button that sends the form, in place of "Save". */
  action?: string
  /** Whether the action deletes or ends something: its button is red. */
  isDangerous?: boolean
  isPending: boolean
  isDisabled?: boolean
  error?: unknown
  size?: 'md' | 'lg' | 'xl'
  onSubmit: () => void
  children: ReactNode
  /** A dialog that may open over this one. */
  over?: Over
}

/** A form over the page, which Enter sends and Escape closes, after a question when something was typed. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { opened, title, action, isDangerous = false, isPending, isDisabled = false, error, size = 'md' } = props
  const { t } = useTranslation()
  const [isTyped, setTyped] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // The dialog was closed while its request ran, and can no longer show that it failed.
  useEffect(() => {
    if (error && !opened) noticeFailure(error)
  }, [error])
  // The form was sent and the dialog closed from outside.
  if (!opened && isTyped) setTyped(false)
  const close = (): void => {
    setAsking(false)
    setTyped(false)
    props.onClose()
  }
  return (
    <>
      <Dialog
        opened={opened}
        // Later, because the same press of Escape would close the question.
        onClose={isTyped ? () => setTimeout(() => setAsking(true)) : close}
        title={title}
        size={size}
        // `Modal.Stack` would do this, but then the focus does not return.
        closeOnEscape={props.over?.opened !== true && !isAsking}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            props.onSubmit()
          }}
          onChange={({ target }) => setTyped(isTyped || isText(target))}
          noValidate
        >
          <Stack>
            {props.children}
            <Failure error={error} />
            <Group justify="flex-end">
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button
                variant="filled"
                type="submit"
                loading={isPending}
                disabled={isDisabled}
                {...(isDangerous && { color: 'red' })}
              >
                {action ?? t('common.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
      <UnsavedChangesDialog opened={opened && isAsking} onStay={() => setAsking(false)} onLeave={close} />
      {props.over?.dialog}
    </>
  )
}

function isText(field: EventTarget): boolean {
  return (
    field instanceof HTMLTextAreaElement ||
    (field instanceof HTMLInputElement && !field.matches('[type=checkbox], [type=radio], [type=file]'))
  )
}
