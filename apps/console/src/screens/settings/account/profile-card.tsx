import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../parts/relative-time.tsx'
import { useCan, type Session } from '../../../session.ts'
import { Card } from '../../../parts/card.tsx'

/** Who the person is to the shop. */
export function ProfileCard({ user }: { user: Session['user'] }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const facts = [
    { label: t('settings.account.name'), value: user.name },
    { label: t('settings.account.email'), value: user.email },
    { label: t('settings.account.role'), value: t(`settings.roles.${user.role}`) },
    { label: t('settings.account.since'), value: formatDate(user.createdAt) },
  ]
  return (
    <Card
      title={t('settings.account.profile')}
      text={t(can('admins:write') ? 'settings.account.profileOwner' : 'settings.account.profileText')}
    >
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, lg: 4 }} mt="md" mb={0}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="md" m={0} className="wrap">
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  )
}
