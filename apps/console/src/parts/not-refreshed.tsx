import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Says above what was read before that a later read failed. */
export function NotRefreshed({ text, onRetry }: { text: string; onRetry: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Alert color="orange" role="status" py="xs">
      <Group gap="sm">
        <Text>{text}</Text>
        <Button size="compact-sm" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      </Group>
    </Alert>
  )
}
