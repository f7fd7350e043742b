import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { invalidToken } from '@storefront/service'
import { AlertConfirmation } from '@storefront/contracts'
import { z } from 'zod'
import type { CatalogContext } from '../context.ts'
import { CONFIRMABLE_MS } from './alert.ts'
import { confirmAlert } from './alerts.queries.ts'
import { queueCheck } from './due-alerts.queries.ts'

/** @param onConfirmed is called for each alert, because it may be due already */
export function confirmAlertRoute(app: App, { db, clock, alertTokens }: CatalogContext, onConfirmed: () => void): void {
  app.post('/alerts/confirm', {
    config: { access: 'public', errors: ['invalid_token'] },
    schema: {
      summary: 'Confirm an alert with the link in the mail',
      description:
        'From here on the shopper gets the mail when what they wait for happens, at once if it has happened since ' +
        'their request. Doing it again gets the same reply. A link that has expired or was forged, or whose alert has ' +
        'ended, is `invalid_token`.',
      body: z
        .object({ token: z.string().nullish().describe('From the link in the mail, which works for 7 days.') })
        .nullish(),
      response: { 200: AlertConfirmation },
    },
    handler: async ({ body }): Promise<AlertConfirmation> => {
      const { id } = alertTokens.read(body?.token, ['alertConfirm'])
      const alert = await transaction(db, async (tx) => {
        const now = clock.now()
        const sentAfter = new Date(now.getTime() - CONFIRMABLE_MS)
        const confirmedAlert = await confirmAlert(tx, id, { now, sentAfter })
        if (!confirmedAlert) throw invalidToken()
        await queueCheck(tx, confirmedAlert.productId)
        return confirmedAlert
      })
      onConfirmed()
      const { kind, slug, title, published } = alert
      return { ok: true, kind, product: published ? { slug, title } : null }
    },
  })
}
