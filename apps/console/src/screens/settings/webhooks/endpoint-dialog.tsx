import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { TypedDeedDialog } from '../proof/typed-deed-dialog.tsx'
import { useDeed } from '../proof/use-deed.tsx'
import { ChangeEndpoint } from './change-endpoint.tsx'
import type { EndpointDeed, EndpointDialogProps } from './endpoint-deed.ts'
import { RotateSecret } from './rotate-secret.tsx'
import { TestEndpoint } from './test-endpoint.tsx'
import { refreshWebhooks } from './webhooks-queries.ts'

const DIALOGS: Record<EndpointDeed, ComponentType<EndpointDialogProps>> = {
  test: TestEndpoint,
  change: ChangeEndpoint,
  rotate: RotateSecret,
  delete: DeleteEndpoint,
}

/** The dialog of a deed on an endpoint. */
export function EndpointDialog({ deed, ...props }: EndpointDialogProps & { deed: EndpointDeed }): ReactNode {
  const Dialog = DIALOGS[deed]
  return <Dialog {...props} />
}

function DeleteEndpoint({ endpoint: { id, url }, opened, onClose }: EndpointDialogProps): ReactNode {
  const { t } = useTranslation()
  const deed = useDeed({
    run: () => shop.delete('/admin/webhooks/{id}', { params: { path: { id } } }),
    onDone: () => {
      onClose()
      void refreshWebhooks()
      noticeDone(t('settings.webhooks.done.delete'))
    },
  })
  return (
    <TypedDeedDialog
      opened={opened}
      title={t('settings.webhooks.deeds.delete')}
      text={t('settings.webhooks.deleteText', { url })}
      word={URL.parse(url)?.host ?? url}
      action={t('settings.webhooks.deeds.delete')}
      deed={deed}
      onClose={onClose}
    />
  )
}
