import { PasswordInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { shop } from '../../../shop.ts'
import { faultsOf } from '../faults.ts'
import { TypedActionDialog } from '../reauthentication/typed-action-dialog.tsx'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { credentialsQuery, GROUPS, type CredentialKey } from './credentials-queries.ts'

interface CredentialDialogProps extends DialogProps {
  credential: CredentialKey
}

export function SetCredential({ credential, ...dialog }: CredentialDialogProps): ReactNode {
  const { t } = useTranslation()
  const [value, setValue] = useState('')
  const name = useFullName(credential)
  const { start, ...request } = useConfirmedRequest({
    run: (secret: string, confirmation) =>
      shop.post('/admin/credentials', { body: { [credential]: secret.trim(), ...confirmation } }),
    onDone: (list) => {
      dialog.onClose()
      queryClient.setQueryData(credentialsQuery.queryKey, list)
      noticeDone(t('settings.credentials.saved', { name }))
    },
  })
  return (
    <FormDialog {...dialog} title={name} {...request} isDisabled={value.trim() === ''} onSubmit={() => start(value)}>
      <PasswordInput
        data-autofocus
        label={t(`settings.credentials.names.${credential}`)}
        description={t(`settings.credentials.texts.${credential}`)}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('settings.credentials.show') }}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        error={faultsOf(request.error)[credential]}
      />
    </FormDialog>
  )
}

/** The name of a credential, after that of its group. */
function useFullName(credential: CredentialKey): string {
  const { t } = useTranslation()
  const name = t(`settings.credentials.names.${credential}`)
  const group = GROUPS.find(({ keys }) => keys.some((key) => key === credential))
  return group ? `${t(`settings.credentials.groups.${group.name}`)}: ${name}` : name
}

/** An empty value removes it. */
export function RemoveCredential({ credential, ...dialog }: CredentialDialogProps): ReactNode {
  const { t } = useTranslation()
  const name = useFullName(credential)
  const request = useConfirmedRequest({
    run: (_input: undefined, confirmation) =>
      shop.post('/admin/credentials', { body: { [credential]: '', ...confirmation } }),
    onDone: (list) => {
      dialog.onClose()
      queryClient.setQueryData(credentialsQuery.queryKey, list)
      noticeDone(t('settings.credentials.removed', { name }))
    },
  })
  return (
    <TypedActionDialog
      {...dialog}
      title={t('settings.credentials.removeTitle', { name })}
      text={t(`settings.credentials.removeTexts.${credential}`)}
      word={t('settings.credentials.removeWord')}
      action={t('settings.credentials.remove')}
      request={request}
    />
  )
}
