import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { StorefrontError } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { useDialog, type DialogProps } from '../../../parts/use-dialog.tsx'
import { messageOf, shop } from '../../../shop.ts'
import { Card } from '../../../parts/card.tsx'
import { ReauthenticationFields, useNeedsCode } from '../reauthentication/reauthentication-fields.tsx'

export function PasswordCard(): ReactNode {
  const { t } = useTranslation()
  const { open, render } = useDialog<undefined>()
  return (
    <Card
      title={t('settings.account.password')}
      text={t('settings.account.passwordText')}
      action={<Button onClick={() => open(undefined)}>{t('settings.account.changePassword')}</Button>}
    >
      {render((dialog) => (
        <PasswordDialog {...dialog} />
      ))}
    </Card>
  )
}

const EMPTY = { password: '', code: '', newPassword: '', revokeKeys: false }

function PasswordDialog(dialog: DialogProps): ReactNode {
  const { t } = useTranslation()
  const needsCode = useNeedsCode()
  const form = useForm({ initialValues: EMPTY })
  const change = useMutation({
    mutationFn: ({ password, code, newPassword, revokeKeys }: typeof EMPTY) =>
      shop.post('/admin/auth/password', {
        body: { currentPassword: password, newPassword, revokeKeys, ...(needsCode && { code }) },
      }),
    onSuccess: ({ activeKeys }) => {
      dialog.onClose()
      noticeDone(
        activeKeys === 0
          ? t('settings.account.passwordChanged')
          : t('settings.account.passwordChangedKeys', { count: activeKeys }),
      )
    },
  })
  const { error } = change
  const weakness = error instanceof StorefrontError && error.code === 'weak_password' ? messageOf(error) : undefined
  return (
    <FormDialog
      {...dialog}
      title={t('settings.account.changePassword')}
      action={t('settings.account.changePassword')}
      isPending={change.isPending}
      error={weakness === undefined ? error : null}
      onSubmit={form.onSubmit((values) => change.mutate(values))}
    >
      <ReauthenticationFields
        needsCode={needsCode}
        value={form.values}
        onChange={({ password, code }) => form.setValues({ password, code })}
      />
      <PasswordInput
        label={t('settings.account.newPassword')}
        description={t('settings.passwordRule')}
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        {...form.getInputProps('newPassword')}
        error={weakness}
      />
      <Checkbox label={t('settings.account.revokeKeys')} {...form.getInputProps('revokeKeys', { type: 'checkbox' })} />
    </FormDialog>
  )
}
