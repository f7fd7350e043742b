import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionQuery } from '../../../session.ts'
import { SettingsPage } from '../settings-page.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'

/** The account of the signed-in person. */
export function AccountScreen(): ReactNode {
  const user = useQuery(sessionQuery).data?.user
  return (
    <SettingsPage section="account">
      {user && (
        <Stack>
          <ProfileCard user={user} />
          <PasswordCard />
          <SecondFactorCard user={user} />
        </Stack>
      )}
    </SettingsPage>
  )
}
