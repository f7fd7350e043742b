import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { useConfirmedRequest } from '../proof/use-confirmed-request.tsx'
import { refreshStaff, type Role } from './staff-queries.ts'
import type { UserDialogProps } from './user-action.ts'
import { NameField, RoleField } from './user-fields.tsx'

/** Name and role of a user. */
export function ChangeUser({ user, opened, onClose }: UserDialogProps): ReactNode {
  const { t } = useTranslation()
  const form = useForm<{ name: string; role: Role }>({
    initialValues: { name: user.name, role: user.role },
    validate: { name: (name) => (name.trim() === '' ? t('settings.fillIn') : null) },
  })
  const request = useConfirmedRequest({
    run: (change: { name?: string; role?: Role }, proof) =>
      shop.patch('/admin/users/{id}', { params: { path: { id: user.id } }, body: { ...change, ...proof } }),
    onDone: (changed) => {
      onClose()
      refreshStaff()
      noticeDone(t('settings.staff.done.change', { name: changed.name }))
    },
  })
  return (
    <FormDialog
      opened={opened}
      title={t('settings.staff.titles.change', { name: user.name })}
      action={t('common.save')}
      size="lg"
      isPending={request.isPending}
      isDisabled={!form.isDirty()}
      error={request.error}
      // Only what was changed: the role alone requires the password.
      onSubmit={form.onSubmit(({ name, role }) =>
        request.start({ ...(name !== user.name && { name }), ...(role !== user.role && { role }) }),
      )}
      onClose={onClose}
      over={request.over}
    >
      <NameField
        value={form.values.name}
        onChange={(name) => form.setFieldValue('name', name)}
        error={form.errors['name']}
      />
      <RoleField value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
    </FormDialog>
  )
}
