import { Group, Kbd, Switch, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewStatus } from './reviews-queries.ts'

const KEYS: Record<ReviewStatus, readonly ('J' | 'K' | 'P' | 'H')[]> = {
  pending: ['J', 'K', 'P', 'H'],
  published: ['J', 'K', 'H'],
  hidden: ['J', 'K', 'P'],
}

interface ShortcutHelpProps {
  status: ReviewStatus
  enabled: boolean
  onEnabled: (enabled: boolean) => void
}

/** The keys of the moderation, which can be switched off for those whose software types letters of its own. */
export function ShortcutHelp({ status, enabled, onEnabled }: ShortcutHelpProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Group mb="sm" gap="md" visibleFrom="sm">
      {KEYS[status].map((key) => (
        <Group key={key} gap={6} opacity={enabled ? 1 : 0.6}>
          <Kbd size="xs">{key}</Kbd>
          <Text>{t(`reviews.key.${key}`)}</Text>
        </Group>
      ))}
      <Switch
        size="xs"
        label={t('reviews.keys')}
        checked={enabled}
        onChange={(event) => onEnabled(event.currentTarget.checked)}
      />
    </Group>
  )
}
