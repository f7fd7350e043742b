import { UNKNOWN_RECIPIENT } from '../mailbox.ts'
import { textAt, valueAt } from '../read-value.ts'
import { until, client, type StepContext } from './context.ts'

/** Webhooks, from the registration of an endpoint to its deletion. */
export async function sendWebhooks({ recorder, admin, receiverUrl }: StepContext): Promise<void> {
  const endpoint = { url: receiverUrl, types: ['order.paid', 'settings.updated'], description: 'The ERP' }
  const path = { id: textAt(await recorder.call(admin, 'POST /admin/webhooks', { body: endpoint }), 'id') }
  await recorder.call(admin, 'GET /admin/webhooks')
  await recorder.call(admin, 'POST /admin/webhooks/{id}/test', { path, body: { type: 'webhook.test' } })
  await recorder.peek(admin, 'PATCH /admin/storefront', { body: { store: { tagline: 'Made to be mended' } } })
  const query = { endpoint: path.id, type: 'settings.updated', status: 'delivered', per_page: '1' }
  await until('a webhook is delivered', async () => {
    return valueAt(await recorder.peek(admin, 'GET /admin/webhooks/deliveries', { query }), 'total') !== 0
  })
  const deliveries = await recorder.call(admin, 'GET /admin/webhooks/deliveries', { query })
  const delivery = { id: textAt(deliveries, 'items', 0, 'id') }
  await recorder.call(admin, 'GET /admin/webhooks/deliveries/{id}', { path: delivery })
  await recorder.call(admin, 'POST /admin/webhooks/deliveries/{id}/replay', { path: delivery })
  const nowMs = Date.now()
  const span = { from: new Date(nowMs - 3_600_000).toISOString(), to: new Date(nowMs).toISOString() }
  const body = { ...span, endpointId: path.id, statuses: ['delivered'] }
  await recorder.call(admin, 'POST /admin/webhooks/deliveries/replay', { body })
  await recorder.call(admin, 'GET /admin/webhooks/{id}', { path })
  await recorder.call(admin, 'PATCH /admin/webhooks/{id}', { path, body: { description: 'The new ERP' } })
  await recorder.call(admin, 'POST /admin/webhooks/{id}/rotate', { path, body: { overlapHours: 24 } })
  await recorder.call(admin, 'POST /admin/webhooks/{id}/disable', { path })
  await recorder.call(admin, 'POST /admin/webhooks/{id}/enable', { path })
  await recorder.call(admin, 'DELETE /admin/webhooks/{id}', { path })
  await recorder.call(admin, 'GET /admin/webhooks/audit', { query: { per_page: '2' } })
}

/** Templates and log of mails. */
export async function sendMails({ recorder, admin }: StepContext): Promise<void> {
  await recorder.call(admin, 'GET /admin/notifications/templates')
  const path = { event: 'orderPlaced' }
  await recorder.call(admin, 'GET /admin/notifications/preview/{event}', { path, query: { part: 'text' } })
  await recorder.call(admin, 'GET /admin/notifications/preview/{event}', { path, query: { part: 'html' } })
  await recorder.call(admin, 'POST /admin/notifications/test', { body: { ...path, to: 'merchant@example.com' } })
  await recorder.call(admin, 'GET /admin/notifications', { query: { kind: 'orderPlaced', per_page: '2' } })
  await recorder.peek(client(), 'POST /newsletter', { body: { email: UNKNOWN_RECIPIENT } })
  const query = { to: UNKNOWN_RECIPIENT, status: 'failed' }
  await until('a mail has failed', async () => {
    return valueAt(await recorder.peek(admin, 'GET /admin/notifications', { query }), 'total') === 1
  })
  const failed = await recorder.peek(admin, 'GET /admin/notifications', { query })
  await recorder.call(admin, 'POST /admin/notifications/{id}/resend', {
    path: { id: textAt(failed, 'items', 0, 'id') },
  })
}
