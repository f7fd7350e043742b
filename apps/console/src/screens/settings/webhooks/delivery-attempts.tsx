import { Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import type { WholeDelivery } from './webhooks-queries.ts'

/** Newest first. */
export function DeliveryAttempts({ attempts }: { attempts: WholeDelivery['attemptLog'] }): ReactNode {
  const { t } = useTranslation()
  return (
    <section aria-label={t('settings.webhooks.attempts')}>
      <Title order={3} size="h5" mb={4}>
        {t('settings.webhooks.attempts')}
      </Title>
      {attempts.length === 0 && <Text c="dimmed">{t('settings.webhooks.noAttempts')}</Text>}
      <Stack gap="xs">
        {attempts.toReversed().map(({ at, status, error, answer, durationMs }) => (
          <Paper key={at} withBorder p="xs">
            <Group gap="xs">
              <Badge color={error === null ? 'teal' : 'red'}>{status ?? t('settings.webhooks.noStatus')}</Badge>
              <Text c="dimmed">
                <RelativeTime at={at} /> · {t('settings.webhooks.duration', { duration: durationMs })}
              </Text>
            </Group>
            {error !== null && <Text mt={4}>{error}</Text>}
            {answer !== null && answer !== '' && (
              <Code block mt="xs" className="wrap text" tabIndex={0}>
                {answer}
              </Code>
            )}
          </Paper>
        ))}
      </Stack>
    </section>
  )
}
