import { Button, Center, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../parts/copy-text.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { shop } from '../../../shop.ts'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

interface ScanStepProps {
  /** For an app on a device without a camera. */
  secret: string
  url: string
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

/** The app takes the secret from the picture, and shows that it has it by a code. */
export function ScanStep({ secret, url, onConfirmed, onClose }: ScanStepProps): ReactNode {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => shop.post('/admin/auth/totp/confirm', { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    confirm.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t('settings.factor.scan')}</Text>
        <Center>
          <Suspense fallback={<Skeleton width={220} height={220} />}>
            <QrCode text={url} label={t('settings.factor.qrCode')} />
          </Suspense>
        </Center>
        <CopyText label={t('settings.factor.secret')} value={secret} />
        <TextInput
          // The password field of the step before is gone.
          autoFocus
          label={t('settings.factor.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Failure error={confirm.error} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button variant="filled" type="submit" loading={confirm.isPending}>
            {t('settings.factor.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
