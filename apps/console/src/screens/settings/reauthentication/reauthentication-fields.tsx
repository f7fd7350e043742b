import { PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../../session.ts'

interface Typed {
  password: string
  code: string
}

interface ReauthenticationFieldsProps {
  value: Typed
  onChange: (value: Typed) => void
  needsCode: boolean
}

/** The current password of the signed-in user, and the code of their second factor if it is needed. */
export function ReauthenticationFields({ value, onChange, needsCode }: ReauthenticationFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <PasswordInput
        data-autofocus
        label={t('settings.reauthentication.password')}
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        value={value.password}
        onChange={({ currentTarget: { value: password } }) => onChange({ ...value, password })}
      />
      {needsCode && (
        <TextInput
          label={t('signIn.code')}
          description={t('signIn.codeHint')}
          autoComplete="one-time-code"
          required
          value={value.code}
          onChange={({ currentTarget: { value: code } }) => onChange({ ...value, code })}
        />
      )}
    </>
  )
}

/** Whether the second factor of the signed-in person is on. */
export function useNeedsCode(): boolean {
  return useQuery(sessionQuery).data?.user.secondFactor ?? false
}
