import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { refreshStaff, type Role } from './staff-queries.ts'
import type { UserDialogProps } from './user-action.ts'
import { NameField, RoleField } from './user-fields.tsx'

export function ChangeUser({ user, ...dialog }: UserDialogProps): ReactNode {
  const { t } = useTranslation()
  const form = useForm<{ name: string; role: Role }>({
    initialValues: { name: user.name, role: user.role },
    validate: { name: (name) => (name.trim() === '' ? t('settings.fillIn') : null) },
  })
  const { start, ...request } = useConfirmedRequest({
    run: (change: { name?: string; role?: Role }, confirmation) =>
      shop.patch('/admin/users/{id}', { params: { path: { id: user.id } }, body: { ...change, ...confirmation } }),
    onDone: (changed) => {
      dialog.onClose()
      refreshStaff()
      noticeDone(t('settings.staff.done.change', { name: changed.name }))
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.staff.titles.change', { name: user.name })}
      size="lg"
      {...request}
      isDisabled={!form.isDirty()}
      // Only what was changed: the role alone requires the password.
      onSubmit={form.onSubmit(({ name, role }) =>
        start({ ...(name !== user.name && { name }), ...(role !== user.role && { role }) }),
      )}
    >
      <NameField {...form.getInputProps('name')} />
      <RoleField {...form.getInputProps('role')} />
    </FormDialog>
  )
}
