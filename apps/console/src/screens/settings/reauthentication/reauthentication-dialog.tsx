import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { StorefrontError } from '@storefront/client'
import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../parts/dialog.tsx'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import { messageOf } from '../../../shop.ts'
import { faultsOf } from '../faults.ts'
import { ReauthenticationFields, useNeedsCode } from './reauthentication-fields.tsx'
import type { Reauthentication } from './reauthentication.ts'

interface ReauthenticationDialogProps extends DialogProps {
  error: unknown
  isPending: boolean
  onConfirm: (confirmation: Reauthentication) => void
}

const NOTHING = { password: '', code: '' }

/** "Confirm with your password", and with a code while the second factor is on. */
export function ReauthenticationDialog({
  opened,
  error,
  isPending,
  onConfirm,
  onClose,
}: ReauthenticationDialogProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(NOTHING)
  // The second factor may have been set up elsewhere a moment ago.
  const isCodeMissing = 'code' in faultsOf(error)
  const needsCode = useNeedsCode() || isCodeMissing
  // The shop requires a password at the first attempt: that is not an error.
  const isShown = error !== null && (isCodeMissing ? typed.password !== '' : !isMissing(error))
  useEffect(() => {
    if (!opened) setTyped(NOTHING)
  }, [opened])

  function submit(event: FormEvent): void {
    event.preventDefault()
    onConfirm({ currentPassword: typed.password, ...(needsCode && { code: typed.code }) })
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={t('settings.reauthentication.title')}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{t('settings.reauthentication.text')}</Text>
          <ReauthenticationFields value={typed} onChange={setTyped} needsCode={needsCode} />
          {isShown && (
            <Alert color="red">
              {isMissing(error) ? t('settings.reauthentication.codeMissing') : messageOf(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button variant="filled" type="submit" loading={isPending}>
              {t('settings.reauthentication.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof StorefrontError && error.code === 'missing_credentials'
}
