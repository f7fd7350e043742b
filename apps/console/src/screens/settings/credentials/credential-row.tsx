import { Badge, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import type { Credential } from './credentials-queries.ts'

interface CredentialRowProps {
  credential: Credential
  onChange: (action: 'set' | 'remove') => void
}

export function CredentialRow({ credential: { key, set, updatedAt }, onChange }: CredentialRowProps): ReactNode {
  const { t } = useTranslation()
  const name = t(`settings.credentials.names.${key}`)
  return (
    <Group justify="space-between" mt="md" gap="xs">
      <div>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Badge color={set ? 'teal' : 'gray'}>
            {t(set ? 'settings.credentials.set' : 'settings.credentials.notSet')}
          </Badge>
        </Group>
        {updatedAt !== null && (
          <Text className="small dimmed">
            {t('settings.credentials.changed')} <RelativeTime at={updatedAt} />
          </Text>
        )}
      </div>
      <Group gap="xs">
        <Button aria-label={`${name}: ${t(setLabel(set))}`} onClick={() => onChange('set')}>
          {t(setLabel(set))}
        </Button>
        {set && (
          <Button
            variant="subtle"
            color="red"
            aria-label={`${name}: ${t('settings.credentials.remove')}`}
            onClick={() => onChange('remove')}
          >
            {t('settings.credentials.remove')}
          </Button>
        )}
      </Group>
    </Group>
  )
}

const setLabel = (isSet: boolean) => (isSet ? 'settings.credentials.replace' : 'settings.credentials.enter')
