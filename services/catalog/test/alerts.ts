import { expect } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { AdminProduct, AlertMailsRequested, ReadAlertLinks, type AlertMailKind } from '@storefront/contracts'
import { waitFor, type Suite } from '@storefront/tools/testing'
import { processAlertRequests } from '../src/alerts/process-alert-requests.ts'
import { sendAlerts } from '../src/alerts/send-alerts.ts'
import { refreshQueued } from '../src/products/process-refresh-queue.ts'
import type { RunningCatalog } from '../src/start.ts'
import { shirt } from './catalog.ts'
import { untilPublished } from './save-meanwhile.ts'

export interface AlertMail {
  kind: AlertMailKind
  alertId: string
  to: string
  title: string
  options: Record<string, string>
  price: number
  formerPrice: number | undefined
  image: string
}

/** The requests of shoppers who wait for products, and the mails that they get. */
export function alertsOf(running: () => { suite: Suite; catalog: RunningCatalog; notifier: Messaging }) {
  const post = (url: string, payload?: object | string, headers: Record<string, string> = {}) =>
    running().catalog.app.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) })

  /** Every mail that was requested, oldest first. */
  async function mails(): Promise<AlertMail[]> {
    const events = await running().suite.eventsOf(AlertMailsRequested)
    return events.flatMap(({ kind, product, mails: requested }) =>
      requested.map(({ alertId, to, formerPrice }) => {
        const { title, options, price, image } = product
        const shown = { title, options, price: price.amount, image: image.url }
        return { kind, alertId, to, ...shown, formerPrice: formerPrice?.amount }
      }),
    )
  }
  const mailsTo = async (to: string, kind?: AlertMailKind) =>
    (await mails()).filter((mail) => mail.to === to && (kind === undefined || mail.kind === kind))

  /** Waits until the requests are processed and the events about their mails are published. */
  async function processed(): Promise<void> {
    const { suite, catalog } = running()
    // A replica processes waiting requests when it starts; a running one may do so a second later.
    const replica = processAlertRequests(catalog.context)
    await waitFor('the requests to be processed', async () => {
      return (await suite.sql('select 1 from catalog.alert_requests')).length === 0
    })
    await replica.stop()
    await untilPublished(suite)
  }

  async function request(body: object) {
    const response = await post('/alerts', body)
    await processed()
    return response
  }

  const links = (alertId: string) => sendRequest(running().notifier, ReadAlertLinks, { alertId })

  /** Requests an alert and opens the link in the mail about it. @returns its id */
  async function confirmed(body: { kind: string; product_slug: string; variant_id?: string; email: string }) {
    expect((await request(body)).statusCode).toBe(200)
    const mail = (await mailsTo(body.email, 'alertConfirmation')).at(-1)
    const { confirmToken } = await links(mail?.alertId ?? '')
    expect((await post('/alerts/confirm', { token: confirmToken })).statusCode).toBe(200)
    return mail?.alertId ?? ''
  }

  /** Works as another replica until no alert is left to check: a mail that is missing then never comes. */
  async function atRest(): Promise<void> {
    const { suite, catalog } = running()
    const replica = sendAlerts(catalog.context)
    await waitFor('all alerts to be checked', async () => {
      await refreshQueued(catalog.context)
      replica.wake()
      const [row] = await suite.sql<{ busy: boolean }>(
        'select exists (select from catalog.refresh_queue) or exists (select from catalog.alert_checks) as busy',
      )
      return row?.busy === false
    })
    await replica.stop()
    await untilPublished(suite)
  }

  async function admin(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
    const { suite, catalog } = running()
    const headers = suite.headers.admin()
    const response = await catalog.app.inject({ method, url, headers, ...(payload && { payload }) })
    expect(response.statusCode, response.payload).toBeLessThan(300)
    return response
  }

  /** A shirt in one size, which is sold out. @returns its ids */
  async function soldOut(slug: string) {
    const created = await admin('POST', '/admin/products', shirt(slug, { sizes: ['M'], inventory: 0 }))
    const { id, variants } = AdminProduct.parse(created.json())
    return { productId: id, variantId: variants[0]?.id ?? '' }
  }

  const stock = (variantId: string, quantity: number) =>
    admin('PATCH', `/admin/variants/${variantId}/inventory`, { quantity })

  return { post, mails, mailsTo, request, links, confirmed, atRest, admin, soldOut, stock }
}
