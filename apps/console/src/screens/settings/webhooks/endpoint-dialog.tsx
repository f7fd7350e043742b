import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { TypedActionDialog } from '../reauthentication/typed-action-dialog.tsx'
import { useConfirmedRequest } from '../reauthentication/use-confirmed-request.tsx'
import { ChangeEndpoint } from './change-endpoint.tsx'
import type { EndpointAction, EndpointDialogProps } from './endpoint-action.ts'
import { RotateSecret } from './rotate-secret.tsx'
import { TestEndpoint } from './test-endpoint.tsx'
import { refreshWebhooks } from './webhooks-queries.ts'

const DIALOGS: Record<EndpointAction, ComponentType<EndpointDialogProps>> = {
  test: TestEndpoint,
  change: ChangeEndpoint,
  rotate: RotateSecret,
  delete: DeleteEndpoint,
}

export function EndpointDialog({ action, ...props }: EndpointDialogProps & { action: EndpointAction }): ReactNode {
  const Dialog = DIALOGS[action]
  return <Dialog {...props} />
}

function DeleteEndpoint({ endpoint: { id, url }, ...dialog }: EndpointDialogProps): ReactNode {
  const { t } = useTranslation()
  const request = useConfirmedRequest({
    run: () => shop.delete('/admin/webhooks/{id}', { params: { path: { id } } }),
    onDone: () => {
      dialog.onClose()
      void refreshWebhooks()
      noticeDone(t('settings.webhooks.done.delete'))
    },
  })
  return (
    <TypedActionDialog
      {...dialog}
      title={t('settings.webhooks.actions.delete')}
      text={t('settings.webhooks.deleteText', { url })}
      word={URL.parse(url)?.host ?? url}
      action={t('settings.webhooks.actions.delete')}
      request={request}
    />
  )
}
