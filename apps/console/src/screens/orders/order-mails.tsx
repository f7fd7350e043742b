import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { ORDER_MAIL_KINDS } from '@storefront/contracts/mail-kinds'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../parts/loading-state.tsx'
import { MailStatusBadge } from '../../parts/mail-status.tsx'
import { noticeDone, noticeFailure } from '../../parts/notices.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { queryClient } from '../../query-client.ts'
import { useCan } from '../../session.ts'
import { shop } from '../../shop.ts'
import { Card } from '../../parts/card.tsx'
import { mailsQuery, type Mail, type Order } from './orders-queries.ts'

/** The mails about an order, and whether they arrived. */
export function OrderMails({ order: { number } }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const mails = useQuery(mailsQuery(number))
  return (
    <Card title={t('orders.mails.title')}>
      {mails.data === undefined ? (
        <LoadingState queries={[mails]} waiting={<Skeleton height={60} />} />
      ) : mails.data.items.length === 0 ? (
        <Text c="dimmed">{t('orders.mails.none')}</Text>
      ) : (
        <Stack gap="xs">
          {mails.data.items.map((mail) => (
            <MailRow key={mail.id} mail={mail} number={number} />
          ))}
        </Stack>
      )}
    </Card>
  )
}

function MailRow({ mail, number }: { mail: Mail; number: string }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const kind = ORDER_MAIL_KINDS.find((one) => one === mail.kind)
  const resend = useMutation({
    mutationFn: () => shop.post('/admin/notifications/{id}/resend', { params: { path: { id: mail.id } } }),
    onSuccess: () => noticeDone(t('orders.mails.resent')),
    onError: noticeFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: mailsQuery(number).queryKey }),
  })
  // The shop sends again only what has reached no mailbox.
  const mayResend = can('settings:write') && (mail.status === 'failed' || mail.status === 'withheld')
  return (
    <Stack gap={0}>
      <Group justify="space-between" wrap="nowrap">
        <Text>{kind ? t(`common.mails.kinds.${kind}`) : mail.kind}</Text>
        <MailStatusBadge status={mail.status} />
      </Group>
      <Text className="wrap small dimmed">
        <RelativeTime at={mail.settledAt ?? mail.at} />
        {mail.to !== null && ` · ${mail.to}`}
      </Text>
      {mail.status === 'failed' && mail.answer !== null && (
        <Text size="xs" className="wrap">
          {mail.answer}
        </Text>
      )}
      {mayResend && (
        <Group mt={4}>
          <Button size="compact-xs" loading={resend.isPending} onClick={() => resend.mutate()}>
            {t('orders.mails.resend')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
