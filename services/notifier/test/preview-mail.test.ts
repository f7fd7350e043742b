import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MailRequested, OrderPlaced, type Permission } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import { waitFor } from '@storefront/tools/testing'
import { createMailServer, type MailServer } from './mail-server.ts'
import { createSetting, orderPlaced, type Setting } from './setting.ts'
import type { RunningNotifier } from '../src/start.ts'

let setting: Setting
let notifier: RunningNotifier
let server: MailServer

beforeAll(async () => {
  setting = await createSetting()
  server = await createMailServer()
  notifier = await setting.start({ SMTP_URL: server.url })
  await waitFor('the settings of the shop', async () => (await get('templates')).statusCode === 200)
})
afterEach(() => {
  setting.shop.version++
  setting.shop.storeName = 'Linen & Co'
  setting.shop.storeAddress = undefined
  setting.shop.notifications = {}
})
afterAll(async () => {
  await setting.stop()
  await server.stop()
})

const get = (path: string, headers: Record<string, string> = setting.suite.headers.admin()) =>
  notifier.app.inject({ url: `/admin/notifications/${path}`, headers })
const templates = (wanted: Record<string, Record<string, string>>) => {
  setting.shop.version++
  setting.shop.notifications = { templates: wanted }
}

describe('the preview of a mail', () => {
  test.each(MailKind.options)('shows %s as a page that can neither run scripts nor send data', async (kind) => {
    const { statusCode, body, headers } = await get(`preview/${kind}`)
    expect(statusCode).toBe(200)
    expect(body).toContain('<!doctype html>')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'; sandbox$/),
    })
  })

  test('shows text and subject as plain text', async () => {
    const text = await get('preview/orderPlaced?part=text')
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.body).toMatch(/^Linen & Co\n\nThank you for your order\./)
    expect((await get('preview/orderPlaced?part=subject')).body).toBe('Order SF-10001 received')
  })

  test('shows the address of the shop, a link to an order and a picture that the shop has', async () => {
    setting.shop.storeAddress = '12 Row\nLondon'
    const { body } = await get('preview/shipped')
    expect(body).toContain('<bdi>12 Row</bdi><br />\n<bdi>London</bdi></p></footer>')
    expect(body).toContain('<img src="http://localhost:8080/media/thumbnails/placeholder.svg.jpg"')
    expect(body).toContain('href="https://shop.example/order/order_sample?token=sample"')
  })

  test('shows a template as soon as it is saved, in the currency and locale of the shop', async () => {
    templates({ refunded: { subject: 'Money for {{ customer.name }}', html: '<p>{{ refund.amount }}</p>' } })
    const before = { locale: setting.shop.locale, currency: setting.shop.currency }
    Object.assign(setting.shop, { locale: 'ja-JP', currency: 'JPY' })
    try {
      await waitFor('the template in the preview', async () => {
        const { body } = await get('preview/refunded')
        return body.includes('<p>￥16,800</p>') && body.includes('<html lang="ja-JP"')
      })
      expect((await get('preview/refunded?part=subject')).body).toBe('Money for Ada Lovelace')
    } finally {
      Object.assign(setting.shop, before)
    }
  })

  test.each(['nonsense', 'toString', '__proto__'])('is not found for %s', async (kind) => {
    const response = await get(`preview/${kind}`)
    expect({ status: response.statusCode, code: response.json().code }).toEqual({ status: 404, code: 'not_found' })
  })

  test('rejects an unknown part', async () => {
    expect((await get('preview/shipped?part=headers')).statusCode).toBe(422)
  })

  test.each(['preview/shipped', 'templates'])(
    'requires the permission to change settings, as the list of templates does: %s',
    async (path) => {
      const without: Permission[] = ['catalog:read', 'orders:write']
      expect((await get(path, setting.suite.headers.admin(without))).statusCode).toBe(403)
      expect((await get(path, {})).statusCode).toBe(401)
    },
  )
})

test('the list of templates has our defaults, those of the shop, switches and variables', async () => {
  setting.shop.version++
  setting.shop.notifications = { events: { shipped: false }, templates: { shipped: { subject: 'Gone' } } }
  const list = await waitFor('the settings', async () => {
    const body = (await get('templates')).json()
    return JSON.stringify(body.items).includes('Gone') ? body : undefined
  })
  const itemFor = (event: string) => list.items.find((item: { event: string }) => item.event === event)
  expect(list.total).toBe(MailKind.options.length)
  expect(itemFor('shipped')).toMatchObject({ enabled: false, override: { subject: 'Gone' } })
  expect(itemFor('shipped').default.subject).toBe('Order {{ order.number }} is on its way')
  // Without the mail about the shipment there are no tracking details to correct.
  expect(itemFor('trackingUpdated').enabled).toBe(false)
  expect(itemFor('trackingUpdated').variables.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['store.address', 'order.url', 'line.image.width']),
  )
  expect(itemFor('refunded')).toMatchObject({ enabled: true, override: null })
  expect(itemFor('refunded').variables.map(({ name }: { name: string }) => name)).toContain('refund.amount')
  expect(JSON.stringify(itemFor('passwordReset').variables)).not.toContain('link')
})

describe('a mail', () => {
  const sent = (subject: string) =>
    waitFor(`the mail ${subject}`, () => server.taken.find((mail) => mail.includes(`Subject: ${subject}`)))

  test('is rendered with the current template when it is sent, and with our default where that fails', async () => {
    templates({ orderPlaced: { subject: 'Merci {{ order.number }}', text: '{{ order.number | shout }}' } })
    await waitFor('the template', async () => (await get('preview/orderPlaced?part=subject')).body.startsWith('Merci'))
    await setting.publish(OrderPlaced, orderPlaced('SF-77'))
    const mail = await sent('Merci SF-77')
    expect(mail).toContain('We received your order SF-77')
  })

  test('about an account names the shop after its sender when the shop has no name', async () => {
    setting.shop.version++
    setting.shop.storeName = ''
    setting.shop.notifications = { from: 'Atelier Nord <shop@example.com>' }
    const shown = () => get('preview/passwordChanged?part=text')
    await waitFor('the new name', async () => (await shown()).body.includes('at Atelier Nord was changed'))
    await setting.publish(MailRequested, { kind: 'passwordChanged', to: 'ada@example.com', name: 'Ada' })
    expect(await sent('Your password was changed')).toContain('at Atelier Nord was changed')
  })
})
