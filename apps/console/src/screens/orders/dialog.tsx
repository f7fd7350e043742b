import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../shop.ts'

interface DialogProps {
  title: string
  /** The deed, on the button. */
  action: string
  isPending: boolean
  isDisabled?: boolean
  error?: unknown
  size?: 'md' | 'lg'
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  children: ReactNode
}

/** A form over the page, which Enter sends and Escape closes. */
export function Dialog(props: DialogProps): ReactNode {
  const { title, action, isPending, isDisabled = false, error, size = 'md', onSubmit, onClose, children } = props
  const { t } = useTranslation()
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {children}
          {error !== undefined && error !== null && (
            <Alert color="red" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isPending} disabled={isDisabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
