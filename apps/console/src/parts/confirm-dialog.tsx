import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './use-dialog.tsx'

interface ConfirmDialogProps extends DialogProps {
  title: string
  text: ReactNode
  /** What happens when the person agrees. */
  action: string
  /** Whether the action deletes or ends something: its button is red. */
  isDangerous?: boolean
  /** In place of "Cancel". */
  cancel?: string
  /** Whether the question is closed by what happens then; otherwise it closes first. */
  staysOpen?: boolean
  onConfirm: () => void
}

/** A question before something happens that the person may not want. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { opened, title, text, action, isDangerous = false, cancel, staysOpen = false, onClose, onConfirm } = props
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Stack>
        {typeof text === 'string' ? <Text>{text}</Text> : text}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {cancel ?? t('common.cancel')}
          </Button>
          <Button
            variant="filled"
            {...(isDangerous && { color: 'red' })}
            onClick={() => {
              if (!staysOpen) onClose()
              onConfirm()
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
