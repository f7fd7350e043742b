import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import { queryClient } from '../../../query-client.ts'
import { useCan } from '../../../session.ts'
import { shop } from '../../../shop.ts'
import type { Mail } from './mails-queries.ts'

export interface Resend {
  /** Whether the shop sends it again: only what has reached no mailbox, and whose text is not deleted. */
  isOffered: (mail: Mail) => boolean
  start: (id: string) => void
  pendingId: string | undefined
}

export function useResend(): Resend {
  const { t } = useTranslation()
  const can = useCan()
  const resend = useMutation({
    mutationFn: (id: string) => shop.post('/admin/notifications/{id}/resend', { params: { path: { id } } }),
    onSuccess: () => noticeDone(t('settings.mails.resent')),
    onError: noticeFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notifications'] }),
  })
  return {
    isOffered: ({ status, test, to }) =>
      can('settings:write') && !test && to !== null && (status === 'failed' || status === 'withheld'),
    start: (id) => resend.mutate(id),
    pendingId: resend.isPending ? resend.variables : undefined,
  }
}
