import { describe, expect, test } from 'vitest'
import { ALERT_MAIL_KINDS, type AlertMailKind } from '@storefront/contracts'
import type { MailShop } from './mail-shop.ts'
import { renderAlertMail } from './render-mail.ts'
import { sampleAlertData } from './sample-data.ts'

const HOSTILE = `<script>alert("x")</script>&' {{ product.price }}`
const ESCAPED = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39; {{ product.price }}'
const shop: MailShop = { name: 'Linen & Sons', publicUrl: 'https://shop.example/v1', locale: 'en-US' }
const SECRET = 'https://shop.example/alerts/unsubscribe?token=alert_1.a&b="c"'
const CONFIRM = 'https://shop.example/alerts/confirm?token=alert_1.d'

const write = (kind: AlertMailKind, change: Partial<MailShop> = {}, currency = 'USD') => {
  const data = sampleAlertData(kind, { currency })
  const product = { ...data.product, image: { url: '/media/shirts/linen.webp', alt: 'A shirt' } }
  const confirm = data.confirm && { ...data.confirm, url: CONFIRM }
  return renderAlertMail(kind, { ...data, product, confirm, unsubscribeUrl: SECRET }, { ...shop, ...change })
}

describe.each(ALERT_MAIL_KINDS)('the mail %s', (kind) => {
  test('shows title, variant, price and picture, in the locale of the shop', () => {
    const { html, text } = write(kind, { locale: 'de-DE' }, 'EUR')
    expect(text).toMatch(/\n\nLinen Shirt\n(Color: Ecru, Size: M\n)?168,00\u00a0€\n\n/)
    expect(html).toContain('<img src="https://shop.example/v1/media/thumbnails/shirts/linen.webp.jpg" alt="A shirt"')
    expect(html).toMatch(/<strong>Linen Shirt<\/strong>[^]*168,00\u00a0€/)
  })

  test('escapes all text of a product, and runs none of it as a template', () => {
    const { product, ...data } = sampleAlertData(kind, { currency: 'USD' })
    const hostile = { ...product, title: HOSTILE, options: { [HOSTILE]: HOSTILE }, image: { url: '', alt: HOSTILE } }
    const { html, subject } = renderAlertMail(kind, { ...data, product: hostile }, shop)
    expect(html).not.toContain('<script')
    expect(html).toContain(`<strong>${ESCAPED}</strong><br /><span class="quiet"`)
    expect(subject).toContain('{{ product.price }}')
    const lines = renderAlertMail(kind, { ...data, product: { ...product, title: 'a\r\nBcc: eve@mail.example' } }, shop)
    expect(lines.subject).not.toMatch(/[\r\n]/)
  })

  test('keeps its links below the text of a merchant, whose template never gets them', () => {
    const words = '-{{ link }}{{ unsubscribeUrl }}{{ confirm.url }}{{ product.unsubscribeUrl }}-'
    const { html, text, fellBack } = write(kind, { templates: { [kind]: { text: words, html: `<p>${words}</p>` } } })
    expect(fellBack).toEqual([])
    expect(text).toContain('\n--\n')
    expect(text).toContain(kind === 'alertConfirmation' ? CONFIRM : `End this alert: ${SECRET}`)
    expect(html).toMatch(/<p>--<\/p>[^]*href="https:\/\/shop\.example\/alerts\//)
    const broken = write(kind, { templates: { [kind]: { html: '<p><a href="https://evil.example">' } } })
    expect(broken.fellBack.map(({ part }) => part)).toEqual(['html'])
    expect(broken.html).toBe(write(kind).html)
  })
})

test('a mail that requests a confirmation says what for, and has no link that ends the alert', () => {
  const { text } = write('alertConfirmation')
  expect(text).toContain('an email when Linen Shirt (Color: Ecru, Size: M) is available again.')
  expect(text).toContain(`\n\n${CONFIRM}\n\nThe link works until 2 March 2026 at 11:00 UTC.`)
  expect(text).not.toContain(SECRET)
  const { confirm } = sampleAlertData('alertConfirmation', { currency: 'USD' })
  const data = { ...sampleAlertData('priceDrop', { currency: 'USD' }), confirm }
  expect(renderAlertMail('alertConfirmation', data, shop).text).toContain(
    'an email when the price of Linen Shirt falls.',
  )
})

test('a mail about a price says what it was, and links to the product', () => {
  const { subject, text } = write('priceDrop')
  expect(subject).toBe('Linen Shirt now costs $168.00')
  expect(text).toContain('has fallen from $198.00 to $168.00.')
  expect(text).toContain('\n\nView the product: https://shop.example/product/linen-shirt\n\n')
})
