import { Button, PasswordInput, Radio, Stack, TextInput, type TextInputProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ROLES, type Role } from './staff-queries.ts'

interface FieldProps<Value> {
  value?: Value
  onChange: (value: Value) => void
  error?: ReactNode
}

export function NameField(props: TextInputProps): ReactNode {
  const { t } = useTranslation()
  return <TextInput data-autofocus label={t('settings.staff.name')} autoComplete="off" {...props} />
}

export function RoleField(props: FieldProps<Role>): ReactNode {
  const { t } = useTranslation()
  return (
    <Radio.Group label={t('settings.account.role')} {...props}>
      <Stack gap="xs" mt={6}>
        {ROLES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t(`settings.roles.${role}`)}
            description={t(`settings.roleTexts.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** A password for another user. A generated one is visible: the person who sets it has to pass it on. */
export function NewPasswordField({ value, onChange, error }: FieldProps<string>): ReactNode {
  const { t } = useTranslation()
  const [isVisible, setVisible] = useState(false)
  return (
    <Stack gap={6} align="flex-start">
      <PasswordInput
        w="100%"
        label={t('settings.account.password')}
        description={t('settings.passwordRule')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        visible={isVisible}
        onVisibilityChange={setVisible}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          onChange(randomPassword())
          setVisible(true)
        }}
      >
        {t('settings.staff.generate')}
      </Button>
    </Stack>
  )
}

/** Without letters and digits that look alike. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** @returns 100 random bits that can be read out */
function randomPassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH))
  const characters = Array.from(random, (byte) => CHARACTERS.charAt(byte % CHARACTERS.length)).join('')
  return characters.replaceAll(/.{5}(?!$)/g, '$&-')
}
