import { Paper, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A long job, with what is done of it. */
export function Running({ label, done, total }: { label: string; done: number; total: number }): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="lg">
      <Stack gap="xs">
        <Text size="md" fw={600}>
          {label}
        </Text>
        <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={label} />
        <Text c="dimmed">{t('stock.stocktake.progress', { done, total })}</Text>
      </Stack>
    </Paper>
  )
}
