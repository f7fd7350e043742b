import { useTranslation } from 'react-i18next'
import { noticeFailure, noticeUndo } from '../../../parts/notices.ts'
import { shop } from '../../../shop.ts'
import { refreshWebhooks, type Endpoint } from './webhooks-queries.ts'

/** @returns disables an endpoint, or enables a disabled one, with a button to undo it */
export function useSwitchEndpoint(): (endpoint: Endpoint) => void {
  const { t } = useTranslation()
  const change = async (id: string, enabled: boolean): Promise<void> => {
    await shop.post(enabled ? '/admin/webhooks/{id}/enable' : '/admin/webhooks/{id}/disable', {
      params: { path: { id } },
    })
    await refreshWebhooks()
  }
  return ({ id, enabled }) => {
    change(id, !enabled).then(
      () => noticeUndo(t(`settings.webhooks.done.${enabled ? 'disable' : 'enable'}`), () => change(id, enabled)),
      noticeFailure,
    )
  }
}
