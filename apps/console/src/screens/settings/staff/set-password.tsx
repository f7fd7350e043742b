import { Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { refreshStaff } from './staff-queries.ts'
import type { UserDialogProps } from './user-action.ts'
import { NewPasswordField } from './user-fields.tsx'

/** A new password for a user who forgot the old one. */
export function SetPassword({ user, ...dialog }: UserDialogProps): ReactNode {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const { start, ...request } = useConfirmedRequest({
    run: (chosen: string, confirmation) =>
      shop.patch('/admin/users/{id}', {
        params: { path: { id: user.id } },
        body: { password: chosen, ...confirmation },
      }),
    onDone: () => {
      dialog.onClose()
      refreshStaff()
      noticeDone(t('settings.staff.done.password', { name: user.name }))
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.staff.titles.password', { name: user.name })}
      action={t('settings.staff.actions.password')}
      {...request}
      isDisabled={password === ''}
      onSubmit={() => start(password)}
    >
      <Text>{t('settings.staff.texts.password')}</Text>
      <NewPasswordField value={password} onChange={setPassword} />
    </FormDialog>
  )
}
