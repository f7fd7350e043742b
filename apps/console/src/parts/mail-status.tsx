import { Badge, type MantineColor } from '@mantine/core'
import type { ResponseOf } from '@storefront/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type MailStatus = ResponseOf<'GET /admin/notifications'>['items'][number]['status']

const COLORS: Record<MailStatus, MantineColor> = {
  queued: 'gray',
  connecting: 'blue',
  'handed-over': 'blue',
  sent: 'teal',
  failed: 'red',
  uncertain: 'orange',
  dropped: 'gray',
  withheld: 'orange',
}

/** Whether a mail was sent. */
export function MailStatusBadge({ status }: { status: MailStatus }): ReactNode {
  const { t } = useTranslation()
  return <Badge color={COLORS[status]}>{t(`common.mails.statuses.${status}`)}</Badge>
}
