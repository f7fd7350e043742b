import { Alert, Anchor, Code, Group, NativeSelect, Text } from '@mantine/core'
import type { ResponseOf } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { shop } from '../../../shop.ts'
import type { EndpointDialogProps } from './endpoint-action.ts'
import { EVENT_NAMES, EVENT_TYPES } from './event-types.ts'
import { refreshWebhooks } from './webhooks-queries.ts'

type Result = ResponseOf<'POST /admin/webhooks/{id}/test'>

const TEST = 'webhook.test'

/** Sends one event now, and shows what came back. */
export function TestEndpoint({ endpoint, ...dialog }: EndpointDialogProps): ReactNode {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string>(TEST)
  const test = useMutation({
    mutationFn: () =>
      shop.post('/admin/webhooks/{id}/test', {
        params: { path: { id: endpoint.id } },
        body: { type: EVENT_TYPES.find((one) => one === chosen) ?? TEST },
        // The shop waits for the receiver.
        timeoutMs: 60_000,
      }),
    onSuccess: () => void refreshWebhooks(),
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.webhooks.actions.test')}
      action={t('settings.webhooks.send')}
      size="lg"
      isPending={test.isPending}
      error={test.error}
      onSubmit={() => test.mutate()}
    >
      <Text className="wrap">{t('settings.webhooks.testText', { url: endpoint.url })}</Text>
      <NativeSelect
        data-autofocus
        label={t('settings.webhooks.type')}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: TEST, label: t('settings.events.webhookTest') },
          ...EVENT_TYPES.map((value) => ({ value, label: t(`settings.events.${EVENT_NAMES[value]}`) })),
        ]}
      />
      {test.data && <TestResult {...test.data} />}
    </FormDialog>
  )
}

function TestResult({ delivered, status, error, answer, durationMs, deliveryId }: Result): ReactNode {
  const { t } = useTranslation()
  return (
    <Alert
      role="status"
      color={delivered ? 'teal' : 'red'}
      title={t(delivered ? 'settings.webhooks.arrived' : 'settings.webhooks.notArrived')}
    >
      <Group gap="md">
        {status !== null && <Text>{t('settings.webhooks.httpStatus', { status })}</Text>}
        <Text>{t('settings.webhooks.duration', { duration: durationMs })}</Text>
        <Anchor
          c="inherit"
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/settings/webhooks/deliveries" search={{ delivery: deliveryId }} />
          )}
        >
          {t('settings.webhooks.showDelivery')}
        </Anchor>
      </Group>
      {error !== null && <Text>{error}</Text>}
      {answer !== null && answer !== '' && (
        <Code block mt="xs" className="wrap text">
          {answer}
        </Code>
      )}
    </Alert>
  )
}
