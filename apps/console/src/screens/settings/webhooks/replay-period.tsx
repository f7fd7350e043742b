import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ResetIcon } from '@radix-ui/react-icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { isDay, localTime, startOfDay } from '../../../parts/local-time.ts'
import { noticeDone } from '../../../parts/notices.ts'
import { useDialog, type DialogProps } from '../../../parts/use-dialog.tsx'
import { shop } from '../../../shop.ts'
import { endpointsQuery, refreshWebhooks } from './webhooks-queries.ts'

/** Sends again what a receiver missed or lost for some days. */
export function ReplayPeriod(): ReactNode {
  const { t } = useTranslation()
  const { open, render } = useDialog<undefined>()
  return (
    <>
      <Button leftSection={<ResetIcon />} onClick={() => open(undefined)}>
        {t('settings.webhooks.replayPeriod')}
      </Button>
      {render((dialog) => (
        <ReplayDialog {...dialog} />
      ))}
    </>
  )
}

interface Period {
  from: string
  to: string
  endpoint: string
  statuses: string[]
}
const STATUSES = ['dead', 'delivered'] as const

function ReplayDialog(dialog: DialogProps): ReactNode {
  const { t } = useTranslation()
  const endpoints = useQuery(endpointsQuery)
  const [count, setCount] = useState(0)
  const form = useForm<Period>({
    initialValues: { from: today(), to: today(), endpoint: '', statuses: ['dead'] },
    validate: {
      from: (day) => (isDay(day) ? null : t('settings.fillIn')),
      to: (day) => (isDay(day) ? null : t('settings.fillIn')),
      statuses: (chosen) => (chosen.length === 0 ? t('settings.webhooks.statusesNone') : null),
    },
  })
  const replay = useMutation({
    mutationFn: (period: Period) => replayAll(period, setCount),
    onSuccess: (total) => {
      dialog.onClose()
      noticeDone(t('settings.webhooks.replayed', { count: total }))
    },
    onSettled: refreshWebhooks,
  })
  return (
    <FormDialog
      {...dialog}
      title={t('settings.webhooks.replayPeriod')}
      action={t('settings.webhooks.replay')}
      isPending={replay.isPending}
      error={replay.error}
      onSubmit={form.onSubmit((values) => replay.mutate(values))}
    >
      <Text>{t('settings.webhooks.replayText')}</Text>
      <SimpleGrid cols={2}>
        <TextInput data-autofocus type="date" label={t('settings.from')} {...form.getInputProps('from')} />
        <TextInput type="date" label={t('settings.to')} {...form.getInputProps('to')} />
      </SimpleGrid>
      <NativeSelect
        label={t('settings.webhooks.endpoint')}
        data={[
          { value: '', label: t('settings.webhooks.allEndpoints') },
          ...(endpoints.data?.items ?? []).map(({ id, url }) => ({ value: id, label: url })),
        ]}
        {...form.getInputProps('endpoint')}
      />
      <Checkbox.Group label={t('settings.webhooks.state')} {...form.getInputProps('statuses')}>
        <Group mt={6}>
          {STATUSES.map((status) => (
            <Checkbox key={status} value={status} label={t(`settings.webhooks.statuses.${status}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      {replay.isPending && (
        <Text size="md" role="status">
          {t('settings.webhooks.replayedSoFar', { count })}
        </Text>
      )}
    </FormDialog>
  )
}

/** The shop replays a part of a long period in each request. @returns how many */
async function replayAll({ from, to, endpoint, statuses }: Period, onCount: (count: number) => void): Promise<number> {
  const body = {
    from: startOfDay(from),
    to: startOfDay(to, 1),
    ...(endpoint !== '' && { endpointId: endpoint }),
    statuses: STATUSES.filter((status) => statuses.includes(status)),
  }
  let count = 0
  let after: string | null = null
  do {
    const part: { replayed: number; next: string | null } = await shop.post('/admin/webhooks/deliveries/replay', {
      body: { ...body, ...(after !== null && { after }) },
      timeoutMs: 60_000,
    })
    count += part.replayed
    after = part.next
    onCount(count)
  } while (after !== null)
  return count
}

/** In the time zone of the person. */
function today(): string {
  return localTime(new Date().toISOString()).slice(0, 10)
}
