import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../parts/copy-text.tsx'
import type { DialogProps } from '../../parts/use-dialog.tsx'

export interface ShownSecret {
  title: string
  /** What to do with it. */
  text: string
  label: string
  secret: string
}

/** A secret that the shop shows this one time. Only its button closes it: a slip must not lose it. */
export function SecretDialog({ opened, title, label, secret, text, onClose }: ShownSecret & DialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text>{text}</Text>
        <CopyText label={label} value={secret} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {t('settings.secret.stored')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
