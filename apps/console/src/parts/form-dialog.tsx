import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../shop.ts'

export interface Over {
  opened: boolean
  dialog: ReactNode
}

interface FormDialogProps {
  /** By default it is, for a dialog that is only there while it is open. */
  opened?: boolean
  title: string
  /** The deed, on the button. */
  action: string
  /** In red: something is lost. */
  isDangerous?: boolean
  isPending: boolean
  isDisabled?: boolean
  error?: unknown
  size?: 'md' | 'lg' | 'xl'
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  children: ReactNode
  /** A dialog that may open over this one. */
  over?: Over
}

/** A form over the page, which Enter sends and Escape closes. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { opened = true, title, action, isDangerous = false, isPending, isDisabled = false, error, size = 'md' } = props
  const { t } = useTranslation()
  return (
    <>
      <Modal
        opened={opened}
        onClose={props.onClose}
        title={title}
        size={size}
        // `Modal.Stack` would do this, but then the focus does not return.
        closeOnEscape={props.over?.opened !== true}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <form onSubmit={props.onSubmit} noValidate>
          <Stack>
            {props.children}
            {error !== undefined && error !== null && (
              <Alert color="red" role="alert">
                {messageOf(error)}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={props.onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit" loading={isPending} disabled={isDisabled} {...(isDangerous && { color: 'red' })}>
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {props.over?.dialog}
    </>
  )
}
