import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import { messageOf, shop } from '../../../shop.ts'
import { replayEach } from './replay-each.ts'
import { refreshWebhooks } from './webhooks-queries.ts'

interface ReplaySelectedProps {
  ids: ReadonlySet<string>
  onSent: (ids: ReadonlySet<string>) => void
}

/** Sends the picked deliveries again: those of one page are few. */
export function ReplaySelected({ ids, onSent }: ReplaySelectedProps): ReactNode {
  const { t } = useTranslation()
  const [tried, setTried] = useState(0)
  const replay = useMutation({
    mutationFn: () => {
      setTried(0)
      const replayOne = (id: string) =>
        shop.post('/admin/webhooks/deliveries/{id}/replay', { params: { path: { id } } })
      return replayEach(ids, replayOne, setTried)
    },
    onSuccess: ({ sent, failures }) => {
      if (sent.size > 0) noticeDone(t('settings.webhooks.replayed', { count: sent.size }))
      if (failures.length > 0) {
        const reasons = new Set(failures.map(messageOf))
        noticeFailure(
          new Error(t('settings.webhooks.notReplayed', { count: failures.length, reason: [...reasons].join(' ') })),
        )
      }
      onSent(sent)
    },
    onSettled: refreshWebhooks,
  })
  if (ids.size === 0) return null
  return (
    <Group mb="sm" gap="sm">
      <Text role="status">
        {replay.isPending
          ? t('settings.webhooks.replaying', { tried, count: ids.size })
          : t('settings.selected', { count: ids.size })}
      </Text>
      <Button variant="filled" size="compact-sm" loading={replay.isPending} onClick={() => replay.mutate()}>
        {t('settings.webhooks.replaySelected')}
      </Button>
    </Group>
  )
}
