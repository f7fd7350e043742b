import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import { queryClient } from '../../../query-client.ts'
import { shop } from '../../../shop.ts'
import { healthQuery } from './health-queries.ts'

/** Compares now, which the shop does every few minutes. */
export function useCompare() {
  const { t } = useTranslation()
  return useMutation({
    // It reads every service and payment provider.
    mutationFn: (body: { retryWebhooks?: boolean }) => shop.post('/admin/reconciliation', { body, timeoutMs: 120_000 }),
    onSuccess: (report) => {
      queryClient.setQueryData(healthQuery.queryKey, report)
      noticeDone(t('settings.health.compared'))
    },
    onError: noticeFailure,
  })
}
