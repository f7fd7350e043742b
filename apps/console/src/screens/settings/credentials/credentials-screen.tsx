import { Alert, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import { Card } from '../../../parts/card.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { CredentialRow } from './credential-row.tsx'
import { credentialsQuery, GROUPS, type CredentialKey } from './credentials-queries.ts'
import { RemoveCredential, SetCredential } from './set-credential.tsx'

/** The secrets of payment providers and of the mail server. They are set here and never shown. */
export function CredentialsScreen(): ReactNode {
  return (
    <SettingsPage section="credentials">
      <Credentials />
    </SettingsPage>
  )
}

function Credentials(): ReactNode {
  const { t } = useTranslation()
  const credentials = useQuery(credentialsQuery)
  const change = useDialog<{ action: 'set' | 'remove'; credential: CredentialKey }>()
  if (!credentials.data) return <LoadingState queries={[credentials]} waiting={<Skeleton height={240} />} />
  const { items, storesSecrets } = credentials.data
  return (
    <Stack>
      {!storesSecrets && <Alert color="orange">{t('settings.credentials.notStored')}</Alert>}
      {GROUPS.map(({ name, keys }) => (
        <Card
          key={name}
          title={t(`settings.credentials.groups.${name}`)}
          text={t(`settings.credentials.groupTexts.${name}`)}
        >
          {items
            .filter(({ key }) => keys.some((one) => one === key))
            .map((item) => (
              <CredentialRow
                key={item.key}
                // The shop also notes that a value was sent which it could not keep.
                credential={{ ...item, set: item.set && storesSecrets }}
                onChange={(action) => change.open({ action, credential: item.key })}
              />
            ))}
        </Card>
      ))}
      {change.render((dialog, { action, credential }) => {
        const Dialog = action === 'remove' ? RemoveCredential : SetCredential
        return <Dialog {...dialog} credential={credential} />
      })}
    </Stack>
  )
}
