import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { ORDER_MAIL_KINDS } from '@storefront/contracts/mail-kinds'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../parts/data-table.tsx'
import { MailStatusBadge } from '../../../parts/mail-status.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { KINDS, type Mail } from './mails-queries.ts'
import type { Resend } from './use-resend.ts'

export function mailColumns(t: TFunction, resend: Resend): Column<Mail>[] {
  return [
    { id: 'kind', header: t('settings.mails.kind'), cell: (mail) => <KindOfMail {...mail} /> },
    {
      id: 'to',
      header: t('settings.mails.to'),
      secondary: true,
      cell: ({ to }) => <Text className="wrap">{to ?? t('settings.mails.toDeleted')}</Text>,
    },
    { id: 'status', header: t('settings.mails.state'), cell: (mail) => <StateOfMail mail={mail} resend={resend} /> },
    {
      id: 'answer',
      header: t('settings.mails.answer'),
      secondary: true,
      cell: ({ answer }) => (
        <Text className="wrap small dimmed" maw={320}>
          {answer ?? '–'}
        </Text>
      ),
    },
    { id: 'at', header: t('settings.mails.at'), secondary: true, cell: ({ at }) => <RelativeTime at={at} /> },
  ]
}

function KindOfMail({ kind, to, reference, test }: Mail): ReactNode {
  const { t } = useTranslation()
  const known = KINDS.find((one) => one === kind)
  const isAboutOrder = !test && ORDER_MAIL_KINDS.some((one) => one === kind)
  return (
    <>
      <Group gap={6}>
        <Text fw={600}>{known ? t(`common.mails.kinds.${known}`) : kind}</Text>
        {test && <Badge>{t('settings.mails.test')}</Badge>}
      </Group>
      <Text className="wrap small dimmed" hiddenFrom="sm">
        {to}
      </Text>
      {isAboutOrder && (
        <Anchor size="xs" renderRoot={(props) => <Link {...props} to="/orders" search={{ q: reference }} />}>
          {reference}
        </Anchor>
      )}
    </>
  )
}

function StateOfMail({ mail, resend }: { mail: Mail; resend: Resend }): ReactNode {
  const { t } = useTranslation()
  const { id, status, bounced } = mail
  return (
    <Group gap={6}>
      <MailStatusBadge status={status} />
      {bounced && <Badge color="red">{t('settings.mails.bounced')}</Badge>}
      {resend.isOffered(mail) && (
        <Button size="compact-xs" loading={resend.pendingId === id} onClick={() => resend.start(id)}>
          {t('settings.mails.resend')}
        </Button>
      )}
    </Group>
  )
}
