import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { faultsOf } from '../faults.ts'
import type { EndpointDialogProps } from './endpoint-action.ts'
import { bodyOf, EndpointFields, type EndpointValues } from './endpoint-fields.tsx'
import { useEndpointForm } from './use-endpoint-form.ts'
import { refreshWebhooks, STOREFRONT_ID } from './webhooks-queries.ts'

export function ChangeEndpoint({ endpoint, ...dialog }: EndpointDialogProps): ReactNode {
  const { t } = useTranslation()
  const form = useEndpointForm(endpoint)
  const change = useMutation({
    mutationFn: (values: EndpointValues) => {
      const { url, ...rest } = bodyOf(values)
      const body = url === endpoint.url ? rest : { url, ...rest }
      return shop.patch('/admin/webhooks/{id}', { params: { path: { id: endpoint.id } }, body })
    },
    onSuccess: () => {
      dialog.onClose()
      void refreshWebhooks()
      noticeDone(t('settings.webhooks.done.change'))
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.webhooks.actions.change')}
      size="lg"
      isPending={change.isPending}
      isDisabled={!form.isDirty()}
      error={change.error}
      onSubmit={form.onSubmit((values) => change.mutate(values))}
    >
      <EndpointFields form={form} faults={faultsOf(change.error)} isFixed={endpoint.id === STOREFRONT_ID} />
    </FormDialog>
  )
}
