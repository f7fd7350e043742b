import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { StorefrontError } from '@storefront/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { messageOf, shop } from '../../../shop.ts'
import { CreateWithSecret, type CreateFormProps } from '../create-with-secret.tsx'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { refreshStaff, type Role } from './staff-queries.ts'
import { NameField, NewPasswordField, RoleField } from './user-fields.tsx'

interface NewUser {
  name: string
  email: string
  role: Role
  password: string
}
const EMPTY: NewUser = { name: '', email: '', role: 'merchandiser', password: '' }

/** Adds a user, and shows the password once more, because it has to be passed on. */
export function AddUser(): ReactNode {
  const { t } = useTranslation()
  return (
    <CreateWithSecret
      label={t('settings.staff.add')}
      Form={AddUserDialog}
      secretOf={({ name, email, password }: NewUser) => ({
        title: t('settings.staff.added', { name }),
        text: t('settings.staff.addedText'),
        label: t('settings.staff.passwordOf', { email }),
        secret: password,
      })}
    />
  )
}

function AddUserDialog({ onMade, ...dialog }: CreateFormProps<NewUser>): ReactNode {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: (name) => (name.trim() === '' ? t('settings.fillIn') : null),
      email: (email) => (email.trim() === '' ? t('settings.fillIn') : null),
      password: (password) => (password === '' ? t('settings.fillIn') : null),
    },
  })
  const { start, ...request } = useConfirmedRequest({
    run: (user: NewUser, confirmation) => shop.post('/admin/users', { body: { ...user, ...confirmation } }),
    onDone: (_added, user) => {
      dialog.onClose()
      refreshStaff()
      onMade(user)
    },
  })
  const code = request.error instanceof StorefrontError ? request.error.code : undefined
  const messageFor = (wanted: string): string | undefined => (code === wanted ? messageOf(request.error) : undefined)
  return (
    <FormDialog
      {...dialog}
      title={t('settings.staff.add')}
      action={t('settings.staff.addAction')}
      size="lg"
      {...request}
      error={code === 'weak_password' || code === 'invalid_email' ? null : request.error}
      onSubmit={form.onSubmit((values) => start(values))}
    >
      <NameField {...form.getInputProps('name')} />
      <TextInput
        label={t('settings.account.email')}
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
        error={form.errors['email'] ?? messageFor('invalid_email')}
      />
      <RoleField {...form.getInputProps('role')} />
      <NewPasswordField
        {...form.getInputProps('password')}
        error={form.errors['password'] ?? messageFor('weak_password')}
      />
    </FormDialog>
  )
}
