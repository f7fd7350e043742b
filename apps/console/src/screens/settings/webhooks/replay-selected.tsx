import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { refreshWebhooks } from './webhooks-queries.ts'

/** Sends the picked deliveries again, one after the other: those of one page are few. */
export function ReplaySelected({ ids, onDone }: { ids: ReadonlySet<string>; onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const [sent, setSent] = useState(0)
  const replay = useMutation({
    mutationFn: async () => {
      setSent(0)
      for (const id of ids) {
        await shop.post('/admin/webhooks/deliveries/{id}/replay', { params: { path: { id } } })
        setSent((before) => before + 1)
      }
      return ids.size
    },
    onSuccess: (count) => {
      noticeDone(t('settings.webhooks.replayed', { count }))
      onDone()
    },
    onError: noticeFailure,
    onSettled: refreshWebhooks,
  })
  if (ids.size === 0) return null
  return (
    <Group mb="sm" gap="sm">
      <Text size="sm" role="status">
        {replay.isPending
          ? t('settings.webhooks.replaying', { sent, count: ids.size })
          : t('settings.selected', { count: ids.size })}
      </Text>
      <Button size="compact-sm" loading={replay.isPending} onClick={() => replay.mutate()}>
        {t('settings.webhooks.replaySelected')}
      </Button>
    </Group>
  )
}
