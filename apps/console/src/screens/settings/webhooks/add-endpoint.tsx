import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { shop } from '../../../shop.ts'
import { CreateWithSecret, type CreateFormProps } from '../create-with-secret.tsx'
import { faultsOf } from '../faults.ts'
import { bodyOf, EndpointFields, type EndpointValues } from './endpoint-fields.tsx'
import { useEndpointForm } from './use-endpoint-form.ts'
import { refreshWebhooks } from './webhooks-queries.ts'

/** Adds an endpoint, and shows its secret this one time. */
export function AddEndpoint(): ReactNode {
  const { t } = useTranslation()
  return (
    <CreateWithSecret
      label={t('settings.webhooks.add')}
      Form={AddEndpointDialog}
      secretOf={(secret: string) => ({
        title: t('settings.webhooks.added'),
        text: t('settings.webhooks.secretText'),
        label: t('settings.webhooks.secret'),
        secret,
      })}
    />
  )
}

function AddEndpointDialog({ onMade, ...dialog }: CreateFormProps<string>): ReactNode {
  const { t } = useTranslation()
  const form = useEndpointForm()
  const add = useMutation({
    mutationFn: (values: EndpointValues) => shop.post('/admin/webhooks', { body: bodyOf(values) }),
    onSuccess: ({ secret }) => {
      dialog.onClose()
      void refreshWebhooks()
      onMade(secret)
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.webhooks.add')}
      action={t('settings.webhooks.addAction')}
      size="lg"
      isPending={add.isPending}
      error={add.error}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <EndpointFields form={form} faults={faultsOf(add.error)} />
    </FormDialog>
  )
}
