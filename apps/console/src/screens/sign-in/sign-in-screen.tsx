import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { StorefrontError, type ResponseOf } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../../parts/failure.tsx'
import { shop } from '../../shop.ts'

export type SignedIn = ResponseOf<'POST /admin/console/session'>

interface SignInScreenProps {
  /** Whether a session has just ended, by its time or elsewhere. */
  ended: boolean
  onSignedIn: (signedIn: SignedIn) => void
}

export function SignInScreen({ ended, onSignedIn }: SignInScreenProps): ReactNode {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  // Stays after a wrong code, when the field may be empty for a moment.
  const [needsCode, setNeedsCode] = useState(false)
  const signIn = useMutation({
    mutationFn: () => shop.post('/admin/console/session', { body: { email, password, ...(code !== '' && { code }) } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (codeRequired(error)) setNeedsCode(true)
    },
  })
  useTitleMeanwhile(t('signIn.title'))

  function submit(event: FormEvent): void {
    event.preventDefault()
    signIn.mutate()
  }

  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              {t('signIn.title')}
            </Title>
            {ended && !signIn.error && <Alert color="gray">{t('signIn.ended')}</Alert>}
            {!codeRequired(signIn.error) && <Failure error={signIn.error} />}
            <TextInput
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              required
              data-autofocus
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label={t('signIn.password')}
              autoComplete="current-password"
              required
              visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            {needsCode && <CodeField code={code} onChange={setCode} />}
            <Button variant="filled" type="submit" loading={signIn.isPending} fullWidth>
              {t('signIn.action')}
            </Button>
            <Text className="small dimmed">{t('signIn.help')}</Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}

function CodeField({ code, onChange }: { code: string; onChange: (code: string) => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('signIn.code')}
      description={t('signIn.codeHint')}
      autoComplete="one-time-code"
      autoFocus
      required
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function useTitleMeanwhile(title: string): void {
  useEffect(() => {
    const before = document.title
    document.title = title
    return () => {
      document.title = before
    }
  }, [title])
}

function codeRequired(error: unknown): boolean {
  return error instanceof StorefrontError && error.code === 'second_factor_required'
}
