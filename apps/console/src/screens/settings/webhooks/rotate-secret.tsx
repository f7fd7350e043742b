import { NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { shop } from '../../../shop.ts'
import { SecretDialog } from '../secret-dialog.tsx'
import type { EndpointDialogProps } from './endpoint-action.ts'
import { refreshWebhooks } from './webhooks-queries.ts'

/** Hours in which the previous secret signs as well. */
const HOURS = ['24', '1', '168', '0'] as const

/** A new secret for an endpoint, shown this one time. */
export function RotateSecret({ endpoint, opened, onClose }: EndpointDialogProps): ReactNode {
  const { t } = useTranslation()
  const [opener] = useState(document.activeElement)
  const [hours, setHours] = useState<string>(HOURS[0])
  const [isStored, setStored] = useState(false)
  const rotate = useMutation({
    mutationFn: () =>
      shop.post('/admin/webhooks/{id}/rotate', {
        params: { path: { id: endpoint.id } },
        body: { overlapHours: Number(hours) },
      }),
    onSuccess: () => {
      // The dialog that opens now returns the focus to it: the form will be gone.
      if (opener instanceof HTMLElement) opener.focus()
      void refreshWebhooks()
    },
  })
  return (
    <>
      <FormDialog
        opened={opened && !rotate.data}
        title={t('settings.webhooks.actions.rotate')}
        action={t('settings.webhooks.actions.rotate')}
        isPending={rotate.isPending}
        error={rotate.error}
        onSubmit={() => rotate.mutate()}
        onClose={onClose}
      >
        <Text>{t('settings.webhooks.rotateText')}</Text>
        <NativeSelect
          data-autofocus
          label={t('settings.webhooks.overlap')}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data={HOURS.map((value) => ({ value, label: t(`settings.webhooks.hours.${value}`) }))}
        />
      </FormDialog>
      <SecretDialog
        // Also when the form was closed meanwhile: the former secret ends all the same.
        opened={rotate.data !== undefined && !isStored}
        title={t('settings.webhooks.rotated')}
        text={t('settings.webhooks.secretText')}
        label={t('settings.webhooks.secret')}
        secret={rotate.data?.secret ?? ''}
        onClose={() => {
          setStored(true)
          onClose()
        }}
      />
    </>
  )
}
