import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export function UndoNotice({ message, onUndo }: { message: string; onUndo: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text>{message}</Text>
      <Button size="compact-sm" variant="light" miw="max-content" onClick={onUndo}>
        {t('common.undo')}
      </Button>
    </Group>
  )
}
