import { Alert, Button, Group, Text } from '@mantine/core'
import { StorefrontError } from '@storefront/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../shop.ts'

/** An error in place of what could not be shown, with the number that support needs. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const { t } = useTranslation()
  const requestId = error instanceof StorefrontError ? error.requestId : undefined
  return (
    <Alert color="red" title={t('common.failed')} m="md">
      <Text>{messageOf(error)}</Text>
      {requestId !== undefined && (
        <Text className="small dimmed" mt="xs">
          {t('common.requestId', { requestId })}
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button onClick={onRetry}>{t('common.retry')}</Button>
        </Group>
      )}
    </Alert>
  )
}
