import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SettingsPage } from '../settings-page.tsx'
import { ApiKeys } from './api-keys.tsx'
import { MakeKey } from './make-key.tsx'
import { SigningKeys } from './signing-keys.tsx'

/** What programs sign in with, and what the shop signs sessions with. */
export function KeysScreen(): ReactNode {
  return (
    <SettingsPage section="keys" actions={<MakeKey />}>
      <Stack gap="xl">
        <ApiKeys />
        <SigningKeys />
      </Stack>
    </SettingsPage>
  )
}
