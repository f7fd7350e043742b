import { Button, Group, Stack, Text } from '@mantine/core'
import type { ResponseOf } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { sessionQuery } from '../../../session.ts'
import { shop } from '../../../shop.ts'
import { ReauthenticationFields } from '../reauthentication/reauthentication-fields.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { ScanStep } from './scan-step.tsx'

type Prepared = ResponseOf<'POST /admin/auth/totp'>

/** Sets up a second factor in three steps: the password, the code of the app, the recovery codes. */
export function SecondFactorDialog({ opened, onClose }: DialogProps): ReactNode {
  const { t } = useTranslation()
  const [prepared, setPrepared] = useState<Prepared>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isStored, setStored] = useState(false)

  function close(): void {
    onClose()
    if (!codes) return
    setStored(true)
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Dialog
      // Also when it was closed while the second factor was set up.
      opened={opened || (codes !== undefined && !isStored)}
      onClose={close}
      title={t(codes ? 'settings.factor.codesTitle' : 'settings.factor.setUp')}
      // The recovery codes are not shown again.
      closeOnClickOutside={codes === undefined}
      closeOnEscape={codes === undefined}
      withCloseButton={codes === undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={close} />
      ) : prepared ? (
        <ScanStep {...prepared} onConfirmed={setCodes} onClose={close} />
      ) : (
        <PasswordStep onPrepared={setPrepared} onClose={close} />
      )}
    </Dialog>
  )
}

function PasswordStep({
  onPrepared,
  onClose,
}: {
  onPrepared: (prepared: Prepared) => void
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const prepare = useMutation({
    mutationFn: () => shop.post('/admin/auth/totp', { body: { password } }),
    onSuccess: onPrepared,
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    prepare.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t('settings.factor.passwordText')}</Text>
        <ReauthenticationFields
          needsCode={false}
          value={{ password, code: '' }}
          onChange={(typed) => setPassword(typed.password)}
        />
        <Failure error={prepare.error} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button variant="filled" type="submit" loading={prepare.isPending}>
            {t('settings.factor.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
