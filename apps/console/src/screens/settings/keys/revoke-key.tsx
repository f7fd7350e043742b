import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone } from '../../../parts/notices.ts'
import type { DialogProps } from '../../../parts/use-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { shop } from '../../../shop.ts'
import { TypedActionDialog } from '../reauthentication/typed-action-dialog.tsx'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { apiKeysQuery, type ApiKey } from './keys-queries.ts'

export function RevokeKey({ apiKey: { id, name, kind }, ...dialog }: DialogProps & { apiKey: ApiKey }): ReactNode {
  const { t } = useTranslation()
  const request = useConfirmedRequest({
    run: () => shop.delete('/admin/api-keys/{id}', { params: { path: { id } } }),
    onDone: () => {
      dialog.onClose()
      void queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
      noticeDone(t('settings.keys.revokedNow', { name }))
    },
  })
  return (
    <TypedActionDialog
      {...dialog}
      title={t('settings.keys.revokeNamed', { name })}
      text={t(kind === 'secret' ? 'settings.keys.revokeText' : 'settings.keys.revokePublishableText')}
      word={name}
      action={t('settings.keys.revoke')}
      request={request}
    />
  )
}
