import type { ResponseOf } from '@storefront/client'
import { ACCOUNT_MAIL_KINDS, ALERT_MAIL_KINDS, ORDER_MAIL_KINDS } from '@storefront/contracts/mail-kinds'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pageOf, type Filters } from '../../../parts/filters.ts'
import type { MailStatus } from '../../../parts/mail-status.tsx'
import { shop } from '../../../shop.ts'

export type Mail = ResponseOf<'GET /admin/notifications'>['items'][number]
export type Template = ResponseOf<'GET /admin/notifications/templates'>['items'][number]
export type MailKind = Template['event']

const MAILS_PER_PAGE = 25
/** Mails change their status while a person looks at the list. */
const REFRESH_MS = 10_000

export const STATUSES: readonly MailStatus[] = [
  'queued',
  'connecting',
  'handed-over',
  'sent',
  'failed',
  'uncertain',
  'dropped',
  'withheld',
]

export const KINDS: readonly MailKind[] = [...ORDER_MAIL_KINDS, ...ACCOUNT_MAIL_KINDS, ...ALERT_MAIL_KINDS]

export const mailsQuery = (filters: Filters) => {
  const { status, kind, bounced, to, order } = filters
  const knownStatus = STATUSES.find((one) => one === status)
  const knownKind = KINDS.find((one) => one === kind)
  const query = {
    ...(knownStatus && { status: knownStatus }),
    ...(knownKind && { kind: knownKind }),
    ...(bounced === 'true' && { bounced: 'true' as const }),
    ...(to !== undefined && { to }),
    ...(order !== undefined && { order }),
    page: pageOf(filters),
    per_page: MAILS_PER_PAGE,
  }
  return queryOptions({
    queryKey: ['notifications', 'log', query],
    queryFn: () => shop.get('/admin/notifications', { params: { query } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export const templatesQuery = queryOptions({
  queryKey: ['notifications', 'templates'],
  queryFn: () => shop.get('/admin/notifications/templates'),
})

export const previewQuery = (event: MailKind, part: 'html' | 'text' | 'subject') =>
  queryOptions({
    queryKey: ['notifications', 'preview', event, part],
    queryFn: () =>
      shop.get('/admin/notifications/preview/{event}', {
        params: { path: { event }, query: { part } },
        parseAs: 'text',
      }),
  })
