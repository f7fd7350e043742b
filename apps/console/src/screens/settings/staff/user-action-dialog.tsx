import { Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { ChangeUser } from './change-user.tsx'
import { RemoveUser } from './remove-user.tsx'
import { SetPassword } from './set-password.tsx'
import { refreshStaff } from './staff-queries.ts'
import type { UserAction, UserDialogProps } from './user-action.ts'

const DIALOGS: Record<UserAction, ComponentType<UserDialogProps>> = {
  change: ChangeUser,
  password: SetPassword,
  remove: RemoveUser,
  factor: (props) => <SwitchUser action="factor" change={{ secondFactor: false }} {...props} />,
  disable: (props) => <SwitchUser action="disable" change={{ disabled: true }} {...props} />,
  enable: (props) => <SwitchUser action="enable" change={{ disabled: false }} {...props} />,
}

export function UserActionDialog({ action, ...props }: UserDialogProps & { action: UserAction }): ReactNode {
  const Dialog = DIALOGS[action]
  return <Dialog {...props} />
}

interface SwitchUserProps extends UserDialogProps {
  action: 'factor' | 'disable' | 'enable'
  change: { disabled: boolean } | { secondFactor: false }
}

/** An action that needs no input, only an explanation. */
function SwitchUser({ user, action: name, change, ...dialog }: SwitchUserProps): ReactNode {
  const { t } = useTranslation()
  const { start, ...request } = useConfirmedRequest({
    run: (_input: undefined, confirmation) =>
      shop.patch('/admin/users/{id}', { params: { path: { id: user.id } }, body: { ...change, ...confirmation } }),
    onDone: () => {
      dialog.onClose()
      refreshStaff()
      noticeDone(t(`settings.staff.done.${name}`, { name: user.name }))
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t(`settings.staff.titles.${name}`, { name: user.name })}
      action={t(`settings.staff.actions.${name}`)}
      isDangerous={name !== 'enable'}
      {...request}
      onSubmit={() => start(undefined)}
    >
      <Text>{t(`settings.staff.texts.${name}`)}</Text>
    </FormDialog>
  )
}
