import { Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { useDeed } from '../proof/use-deed.tsx'
import { ChangeUser } from './change-user.tsx'
import { RemoveUser } from './remove-user.tsx'
import { SetPassword } from './set-password.tsx'
import { refreshStaff } from './staff-queries.ts'
import type { UserDeed, UserDialogProps } from './user-deed.ts'

const DIALOGS: Record<UserDeed, ComponentType<UserDialogProps>> = {
  change: ChangeUser,
  password: SetPassword,
  remove: RemoveUser,
  factor: (props) => <SwitchUser deed="factor" change={{ secondFactor: false }} {...props} />,
  disable: (props) => <SwitchUser deed="disable" change={{ disabled: true }} {...props} />,
  enable: (props) => <SwitchUser deed="enable" change={{ disabled: false }} {...props} />,
}

/** The dialog of a deed on a user. */
export function DeedDialog({ deed, ...props }: UserDialogProps & { deed: UserDeed }): ReactNode {
  const Dialog = DIALOGS[deed]
  return <Dialog {...props} />
}

interface SwitchUserProps extends UserDialogProps {
  deed: 'factor' | 'disable' | 'enable'
  change: { disabled: boolean } | { secondFactor: false }
}

/** A deed that needs no entry, only an explanation. */
function SwitchUser({ user, deed: name, change, opened, onClose }: SwitchUserProps): ReactNode {
  const { t } = useTranslation()
  const deed = useDeed({
    run: (_input: undefined, proof) =>
      shop.patch('/admin/users/{id}', { params: { path: { id: user.id } }, body: { ...change, ...proof } }),
    onDone: () => {
      onClose()
      refreshStaff()
      noticeDone(t(`settings.staff.done.${name}`, { name: user.name }))
    },
  })
  return (
    <FormDialog
      opened={opened}
      title={t(`settings.staff.titles.${name}`, { name: user.name })}
      action={t(`settings.staff.deeds.${name}`)}
      isDangerous={name !== 'enable'}
      isPending={deed.isPending}
      error={deed.error}
      onSubmit={(event) => {
        event.preventDefault()
        deed.start(undefined)
      }}
      onClose={onClose}
      over={deed.over}
    >
      <Text size="sm">{t(`settings.staff.texts.${name}`)}</Text>
    </FormDialog>
  )
}
