import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { shop } from '../../../shop.ts'
import { TypedActionDialog } from '../reauthentication/typed-action-dialog.tsx'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { signingKeysQuery } from './keys-queries.ts'

const refresh = (): void => void queryClient.invalidateQueries({ queryKey: signingKeysQuery.queryKey })

/** Rotates the signing key; sessions stay open. */
export function RotateKey(dialog: DialogProps): ReactNode {
  const { t } = useTranslation()
  const rotate = useMutation({
    mutationFn: () => shop.post('/admin/signing-keys/rotate', { body: {} }),
    onSuccess: () => {
      dialog.onClose()
      refresh()
      noticeDone(t('settings.signing.rotated'))
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.signing.rotate')}
      action={t('settings.signing.rotate')}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
    >
      <Text>{t('settings.signing.rotateText')}</Text>
    </FormDialog>
  )
}

/** Replaces a leaked signing key, which ends every session, this one as well. */
export function LeakedKey(dialog: DialogProps): ReactNode {
  const { t } = useTranslation()
  const request = useConfirmedRequest({
    run: (_input: undefined) => shop.post('/admin/signing-keys/rotate', { body: { revokePrevious: true } }),
    onDone: () => {
      dialog.onClose()
      refresh()
    },
  })
  return (
    <TypedActionDialog
      {...dialog}
      title={t('settings.signing.leaked')}
      text={t('settings.signing.leakedText')}
      word={t('settings.signing.leakedWord')}
      action={t('settings.signing.leaked')}
      request={request}
    />
  )
}
