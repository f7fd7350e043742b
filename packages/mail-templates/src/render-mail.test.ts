import { describe, expect, test } from 'vitest'
import { Address, ORDER_MAIL_KINDS } from '@storefront/contracts'
import type { OrderMailData } from './mail-data.ts'
import { MailKind } from './mail-kind.ts'
import type { MailShop } from './mail-shop.ts'
import {
  defaultTemplate,
  isAccountMail,
  isAlertMail,
  renderAccountMail,
  renderAlertMail,
  renderOrderMail,
} from './render-mail.ts'
import { sampleAccountData, sampleAlertData, sampleOrderData, sparseOrderData } from './sample-data.ts'

const HOSTILE = `<script>alert("x")</script>&' {{ order.total }}`
const PUBLIC_URL = 'https://shop.example/v1'
const shop: MailShop = { name: 'Linen & Sons', publicUrl: PUBLIC_URL, locale: 'en-US' }
const given = { locale: 'en-US', currency: 'USD' }

const sample = (kind: MailKind, change: Partial<MailShop> = {}, data = sampleOrderData(given)) => {
  if (isAlertMail(kind)) return renderAlertMail(kind, sampleAlertData(kind, given), { ...shop, ...change })
  return isAccountMail(kind)
    ? renderAccountMail(kind, sampleAccountData(), { ...shop, ...change })
    : renderOrderMail(kind, data, { ...shop, ...change })
}
const withTemplate = (kind: MailKind, template: Record<string, string>) =>
  sample(kind, { templates: { [kind]: template } })

describe.each(MailKind.options)('the mail %s with our default text', (kind) => {
  test('is a page with one heading, a title, a language and a direction, and the same as text', () => {
    const mail = sample(kind)
    expect(mail.fellBack).toEqual([])
    expect(mail.subject).not.toBe('')
    expect(mail.html).toContain(`<title>${mail.subject}</title>`)
    expect(mail.html).toContain('<html lang="en-US" dir="ltr">')
    expect(mail.html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(mail.html).toContain('name="viewport"')
    expect(mail.text).not.toMatch(/[{}<>]|\n{3}|undefined|\[object/)
    expect(mail.html).not.toMatch(/[{]{2}|{%|undefined|\[object/)
  })
})

test('a tax that is included in the prices is listed below the total, and one that is added above it', () => {
  const data = sampleOrderData(given)
  const order = { ...data.order, total: { ...data.order.total, amount: 39_690 } }
  const included = sample('orderPlaced', {}, { ...data, order })
  expect(included.text).toContain('Shipping: $9.00\nTotal: $396.90\nIncluded tax: $31.03\n')
  expect(included.html).toMatch(/>Total<[^]*>Included tax<[^]*\$31\.03/)
  expect(included.html).not.toContain('>Tax<')
  const added = sample('orderPlaced')
  expect(added.text).toContain('Shipping: $9.00\nTax: $31.03\nTotal: $427.93\n')
  expect(added.html).toMatch(/>Tax<[^]*\$31\.03[^]*>Total</)
  expect(added.html).not.toContain('Included tax')
})

describe.each(ORDER_MAIL_KINDS)('the mail %s', (kind) => {
  test('is rendered for an order that has hardly any data', () => {
    const mail = sample(kind, {}, sparseOrderData(given))
    expect(mail.fellBack).toEqual([])
    expect(mail.text).not.toMatch(/Discount|Tax|parcel|undefined|\(\)/)
    expect(mail.subject).toContain('SF-10001')
  })

  test('has no heading of a delivery address that the order does not have', () => {
    const { order, ...data } = sampleOrderData(given)
    const mail = sample(kind, {}, { ...data, order: { ...order, shippingAddress: Address.parse({}) } })
    expect(mail.text + mail.html).not.toContain('Delivery address')
  })

  test('escapes all text of a shopper or a merchant, and runs none of it as a template', () => {
    const data = sampleOrderData(given)
    const { order } = data
    const [line] = order.lines
    const mail = sample(
      kind,
      {},
      {
        ...data,
        order: {
          ...order,
          number: HOSTILE,
          lines: line ? [{ ...line, title: HOSTILE, options: { [HOSTILE]: HOSTILE } }] : [],
          discountCode: { code: HOSTILE, label: HOSTILE },
          tracking: { carrier: HOSTILE, code: HOSTILE, url: `javascript:alert(1)` },
          shippingAddress: { ...order.shippingAddress, name: HOSTILE, line1: HOSTILE, city: HOSTILE },
        },
        ...(data.refund && { refund: { ...data.refund, reason: HOSTILE } }),
      },
    )
    expect(mail.html).not.toContain('<script')
    expect(mail.html).not.toContain('javascript:')
    expect(mail.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39; {{ order.total }}')
    expect(mail.subject).toContain('{{ order.total }}')
  })
})

describe('a mail about an order', () => {
  test('lists lines, sums and the address, with amounts in the format of the locale', () => {
    const { subject, text, html } = sample('orderPlaced', {}, sampleOrderData({ locale: 'de-DE', currency: 'EUR' }))
    expect(subject).toBe('Order SF-10001 received')
    expect(text).toContain('2 x Linen Shirt (Color: Ecru, Size: M): 336,00\u00a0€\n1 x Wool Scarf: 95,00\u00a0€')
    expect(text).toContain('Discount (WELCOME10): -43,10\u00a0€\n')
    expect(text).toContain('Total: 427,93\u00a0€')
    expect(text).toContain('Ada Lovelace\n12 Analytical Row\nLondon W1 1AA\nVereinigtes Königreich')
    expect(html).toContain('427,93\u00a0€')
    expect(html).toContain('<html lang="de-DE" dir="ltr">')
    expect(html).toContain('<main lang="en" dir="ltr">')
  })

  test('names shipping that costs nothing free', () => {
    const data = sampleOrderData(given)
    const shipping = { amount: 0, currency: 'USD' }
    const { text, html } = sample('orderPlaced', {}, { ...data, order: { ...data.order, shipping } })
    expect(text).toContain('\nShipping: Free\n')
    expect(html).toMatch(/Shipping<\/th>\s*<td[^>]*>Free<\/td>/)
    expect(sample('orderPlaced').text).toContain('\nShipping: $9.00\n')
  })

  test.each([
    ['ja-JP', 'JPY', '￥42,793'],
    ['hi-IN', 'INR', '₹1,23,45,678.90'],
    ['de-CH', 'CHF', "CHF 12'345'678.90"],
    ['ar-EG', 'KWD', '١٬٢٣٤٬٥٦٧٫٨٩٠'],
    ['fr-FR', 'EUR', '12 345 678,90 €'],
  ])('has amounts in the format of the locale %s and the currency %s', (locale, currency, total) => {
    const data = sampleOrderData({ locale, currency })
    const amount = currency === 'JPY' ? 42_793 : 1_234_567_890
    const { text, html } = sample('orderPlaced', {}, { ...data, order: { ...data.order, total: { amount, currency } } })
    const plain = (form: string) => form.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/’|&#39;/g, "'")
    for (const form of [text, html]) expect(plain(form)).toContain(total)
  })

  test('has the date of the order in the format of the locale', () => {
    const text = '{{ order.placedAt }}'
    const dayIn = (locale: string) =>
      sample('shipped', { templates: { shipped: { text } } }, sampleOrderData({ locale, currency: 'EUR' })).text
    expect(['de-DE', 'en-GB', 'ja-JP'].map(dayIn)).toEqual(['2. März 2026', '2 March 2026', '2026年3月2日'])
  })

  test('has the date of the order in the time zone of the shop', () => {
    const text = '{{ order.placedAt }}'
    const placedAt = '2026-03-02T23:30:00.000Z'
    const data = sampleOrderData(given)
    const dayIn = (timeZone?: string) =>
      sample('shipped', { timeZone, templates: { shipped: { text } } }, { ...data, order: { ...data.order, placedAt } })
        .text
    expect([undefined, 'Asia/Kolkata', 'America/New_York', 'Mars/Olympus'].map(dayIn)).toEqual([
      'March 2, 2026',
      'March 3, 2026',
      'March 2, 2026',
      'March 2, 2026',
    ])
  })

  test('of the longest possible order is rendered with our templates, which have no limit', () => {
    const data = sampleOrderData(given)
    const [line] = data.order.lines
    const title = '"'.repeat(20_000)
    const lines = line ? Array.from({ length: 100 }, () => ({ ...line, title, quantity: 999 })) : []
    const { html, fellBack } = sample('orderPlaced', {}, { ...data, order: { ...data.order, lines } })
    expect(fellBack).toEqual([])
    expect(html.match(/>999 × /g)).toHaveLength(100)
  })

  test.each([
    { count: 50, pictures: 50 },
    { count: 100, pictures: 0 },
  ])('of $count lines is short enough for Gmail, which hides the end of a longer one', ({ count, pictures }) => {
    const data = sampleOrderData(given)
    const image = { url: `/media/uploads/med_${'0'.repeat(32)}/1920.webp`, alt: 'A linen shirt on a chair' }
    const lines = data.order.lines.slice(0, 1).map((line) => ({ ...line, title: 'Linen shirt '.repeat(10), image }))
    const order = { ...data.order, lines: Array.from({ length: count }, () => lines).flat() }
    const { html } = sample('orderPlaced', {}, { ...data, order })
    expect(html.match(/>2 × /g)).toHaveLength(count)
    expect(html.split('<img ')).toHaveLength(pictures + 1)
    expect(Buffer.byteLength(html)).toBeLessThan(102 * 1024)
  })

  test.each(['no such locale', '', 'xx'])('has English amounts when the locale is %j', (locale) => {
    const mail = sample('orderPlaced', { locale }, sampleOrderData({ locale, currency: 'USD' }))
    expect(mail.text).toContain('Total: $427.93')
    expect(mail.html).toContain('<html lang="en-US" dir="ltr">')
  })

  test('has the text direction of its language', () => {
    const data = sampleOrderData({ locale: 'ar-EG', currency: 'EGP' })
    const templates = { shipped: { html: '<p>تم الشحن</p>' } }
    expect(sample('shipped', { templates }, data).html).toMatch(/<html lang="ar-EG" dir="rtl">[^]*<main>/)
  })

  test('links to the parcel only with a web address', () => {
    const data = sampleOrderData(given)
    expect(sample('shipped').html).toContain('href="https://post.example/EP123456789"')
    const tracking = { carrier: 'Post', code: '1', url: 'post.example/1' }
    const { html } = sample('shipped', {}, { ...data, order: { ...data.order, tracking } })
    expect(html).not.toContain('Track your parcel')
    expect(html).not.toContain('href="post')
  })

  test('keeps its lines, whatever a name contains', () => {
    const data = sampleOrderData(given)
    const name = 'Ada\r\nTotal: $0.00\u202e'
    const shippingAddress = { ...data.order.shippingAddress, name }
    const { text } = sample('orderPlaced', {}, { ...data, order: { ...data.order, shippingAddress } })
    expect(text).toContain('\nAda Total: $0.00\n')
  })
})

describe.each(MailKind.options)('the mail %s', (kind) => {
  const ADDRESS = 'Linen & Sons Ltd\r\n12 Analytical Row\n\nLondon <W1>'

  test('begins with the name of the shop and ends with its address, as a page and as text', () => {
    const { text, html } = sample(kind, { address: ADDRESS })
    expect(text).toMatch(/^Linen & Sons\n\n/)
    expect(text).toMatch(/\n\nLinen & Sons\nLinen & Sons Ltd\n12 Analytical Row\nLondon <W1>$/)
    expect(html).toMatch(/<header><p [^>]*>Linen &amp; Sons<\/p><\/header>\n<main/)
    expect(html).toMatch(
      /<footer><p [^>]*><strong>Linen &amp; Sons<\/strong><br \/>\n<bdi>Linen &amp; Sons Ltd<\/bdi><br \/>\n<bdi>12 Analytical Row<\/bdi><br \/>\n<bdi>London &lt;W1&gt;<\/bdi><\/p><\/footer>/,
    )
  })

  test('has no footer when the shop has no address', () => {
    for (const address of [undefined, '', ' \n ', {}, { line1: null, city: '' }]) {
      const { text, html } = sample(kind, { address })
      expect(html).not.toContain('<footer')
      expect(text.match(/Linen & Sons\n/g)).toHaveLength(1)
    }
  })
})

test('the address of a shop may be given in parts, and never takes more than a few lines', () => {
  const parts = {
    line1: '48 Harrow Lane',
    line2: null,
    city: 'Portland',
    region: 'OR',
    postalCode: '97204',
    country: 'us',
  }
  expect(sample('shipped', { address: parts }).text).toMatch(
    /\nLinen & Sons\n48 Harrow Lane\nPortland, OR 97204\nUnited States$/,
  )
  expect(sample('shipped', { address: parts, locale: 'fr-FR' }).html).toContain('États-Unis')
  const lines = sample('shipped', { address: 'x\n'.repeat(250) }).html.match(/\n<bdi>x/g)
  expect(lines).toHaveLength(8)
})

describe('the pictures of a mail', () => {
  const pictureOf = (url: string, alt = 'A shirt on a chair') => {
    const data = sampleOrderData(given)
    const lines = data.order.lines.slice(0, 1).map((line) => ({ ...line, image: { url, alt } }))
    const { html } = sample('orderPlaced', {}, { ...data, order: { ...data.order, lines } })
    return /<img src="([^"]*)" alt="([^"]*)" width="64" height="80"/.exec(html)?.slice(1)
  }
  const thumbnail = (path: string) => `${PUBLIC_URL}/media/thumbnails/${path}.jpg`

  test.each([
    ['/media/demo/shirt.svg', thumbnail('demo/shirt.svg')],
    [`${PUBLIC_URL}/media/demo/shirt.svg`, thumbnail('demo/shirt.svg')],
    [`${PUBLIC_URL}/media/uploads/med_1/1920.webp`, thumbnail('uploads/med_1/1920.webp')],
    ['/pictures/a.jpg', `${PUBLIC_URL}/pictures/a.jpg`],
    ['https://cdn.example/a.webp?w=1&h=2', 'https://cdn.example/a.webp?w=1&amp;h=2'],
  ])('show %s as %s, with a description and a size that is known before loading', (url, shown) => {
    expect(pictureOf(url)).toEqual([shown, 'A shirt on a chair'])
  })

  test.each([
    '',
    'shirt.jpg',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'ftp://cdn.example/a.jpg',
    'https://cdn.example/a.svg?v=1',
    '//cdn.example/a.jpg',
  ])('leave out %j, which mail programs do not load or show', (url) => {
    expect(pictureOf(url)).toBeUndefined()
  })

  test('have the name of the product as their description when they have none', () => {
    expect(pictureOf('/media/a.jpg', ' ')).toEqual([thumbnail('a.jpg'), 'Linen Shirt'])
  })
})

describe('the link to the order', () => {
  test.each(ORDER_MAIL_KINDS)('is in the mail %s, as a page and as text', (kind) => {
    const url = 'https://www.example/order/order_1?token=a&b'
    const { text, html } = sample(kind, {}, { ...sampleOrderData(given), url })
    expect(`${text}\n`).toContain(`\nView your order: ${url}\n`)
    expect(html).toMatch(
      /<a [^>]*href="https:\/\/www\.example\/order\/order_1\?token=a&amp;b"[^>]*>View your order<\/a>/,
    )
  })

  test('is left out when it is unknown or not a web address', () => {
    for (const url of [undefined, 'javascript:alert(1)']) {
      const { text, html } = sample('orderPlaced', {}, { ...sampleOrderData(given), url })
      expect(text + html).not.toContain('View your order')
    }
  })
})

describe('the tracking of a parcel', () => {
  const about = (kind: 'shipped' | 'trackingUpdated', tracking: OrderMailData['order']['tracking']) => {
    const { order, ...data } = sampleOrderData(given)
    return sample(kind, {}, { ...data, order: { ...order, tracking } })
  }

  test.each(['shipped', 'trackingUpdated'] as const)('is complete in the mail %s', (kind) => {
    const all = about(kind, { carrier: 'UPS', code: '1Z', url: 'https://ups.example/1Z' })
    expect(all.text).toContain('\nCarrier: UPS\nTracking number: 1Z\nTrack your parcel: https://ups.example/1Z\n')
    expect(all.html).toMatch(/Carrier: UPS<br \/>\s*Tracking number: <strong>1Z<\/strong>/)
    expect(all.html).toMatch(/href="https:\/\/ups\.example\/1Z"[^>]*>Track your parcel</)
    const linkOnly = about(kind, { carrier: 'UPS', code: '', url: 'https://ups.example/1Z' })
    expect(linkOnly.text).toContain('\nCarrier: UPS\nTrack your parcel: https://ups.example/1Z\n')
    expect(linkOnly.html).not.toContain('Tracking number')
    const nothing = about(kind, { carrier: '', code: '', url: '' })
    expect(nothing.text + nothing.html).not.toMatch(/Carrier|Tracking number|Track your/)
  })

  test('names what is in it when more is to come', () => {
    const { subject, text, html } = sample('partlyShipped')
    expect(subject).toBe('A part of order SF-10001 is on its way')
    expect(text).toContain('On its way:\n2 x Linen Shirt (Color: Ecru, Size: M)\n1 x Wool Scarf\n')
    expect(text).toContain('The remaining items follow separately.')
    expect(html).toContain('Tracking number: <strong>EP123456789</strong>')
    expect(html).not.toContain('Subtotal')
  })

  test('is called new after a correction, and replaces that of no other parcel', () => {
    const { subject, text, html } = about('trackingUpdated', { carrier: 'UPS', code: '1Z', url: '' })
    expect(subject).toBe('New tracking details for order SF-10001')
    for (const form of [text, html])
      expect(form).toContain('They replace any details we sent you earlier for the same delivery.')
  })
})

describe('the template of a merchant', () => {
  test('may use the address of the shop, the link to the order and the size of its pictures', () => {
    const words =
      '{{ store.address }}|{{ order.url }}|{% for line in order.lines %}{{ line.image.width }}x{{ line.image.height }} {% endfor %}'
    const { text, html, fellBack } = sample('shipped', {
      address: '12 Row\nLondon',
      templates: { shipped: { text: words, html: `<p>{{ store.address | newline_to_br }}</p>` } },
    })
    expect(fellBack).toEqual([])
    expect(text).toBe('12 Row\nLondon|https://shop.example/order/order_sample?token=sample|64x80 64x80')
    expect(html).toContain('<p>12 Row<br />\nLondon</p>')
  })

  test('is rendered between the name and the address of the shop as a page, and without them as text', () => {
    const templates = { shipped: { text: 'Words', html: '<p>Words</p>' } }
    const { text, html } = sample('shipped', { address: '12 Row', templates })
    expect(text).toBe('Words')
    expect(html).toMatch(/<\/header>\n<main>\n<h1[^]*<p>Words<\/p>\n<\/main>\n<footer>[^]*12 Row/)
  })

  test('replaces our default, part by part', () => {
    const mail = withTemplate('shipped', {
      subject: '{{ order.number }} for {{ customer.name }}',
      html: '<h1>{{ store.name }}</h1>{% for line in order.lines %}<p>{{ line.title | upcase }}: {{ line.raw.total }}</p>{% endfor %}',
    })
    expect(mail.subject).toBe('SF-10001 for Ada Lovelace')
    expect(mail.text).toBe(sample('shipped').text)
    expect(mail.html).toContain('<h1>Linen &amp; Sons</h1><p>LINEN SHIRT: 33600</p><p>WOOL SCARF: 9500</p>')
    expect(mail.html.match(/<h1/g)).toHaveLength(1)
    expect(mail.fellBack).toEqual([])
  })

  test.each([
    ['does not parse', '{{ order.number'],
    ['uses an unknown filter', '{{ order.number | shout }}'],
    ['includes another template', '{% render "other" %}'],
    ['is empty', '{% if order.nothing %}x{% endif %}'],
    [
      'needs all the memory',
      '{% assign a = "xxxx" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
    ],
    ['writes without limit', `{% for i in (1..1000000) %}${'x'.repeat(300)}{% endfor %}`],
    [
      'captures without limit',
      `{% capture a %}{% for i in (1..1000000) %}${'x'.repeat(300)}{% endfor %}{% endcapture %}y`,
    ],
  ])('that %s never prevents the mail', (_fault, template) => {
    const mail = withTemplate('orderPlaced', { subject: template, text: template, html: template })
    const ours = sample('orderPlaced')
    expect(mail).toMatchObject({ subject: ours.subject, text: ours.text, html: ours.html })
    expect(mail.fellBack.map(({ part }) => part).toSorted()).toEqual(['html', 'subject', 'text'])
  })

  test('that does not terminate is stopped', () => {
    const endless = '{% for a in (1..90000) %}{% for b in (1..9) %}{% endfor %}{% endfor %}'.repeat(200)
    const data = sampleOrderData(given)
    const before = process.threadCpuUsage()
    const { fellBack } = renderOrderMail('shipped', data, { ...shop, templates: { shipped: { text: endless } } }, 50)
    expect(fellBack.map(({ part }) => part)).toEqual(['text'])
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
  })

  test('that writes a long row of blanks does not delay other mails', () => {
    const before = process.threadCpuUsage()
    const text = `{% assign a = " " %}{% for i in (1..17) %}{% assign a = a | append: a %}{% endfor %}a{{ a }}b`
    expect(withTemplate('shipped', { text }).text).toHaveLength(2 ** 17 + 2)
    // Quadratic time would be half a minute here.
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000)
  })

  test('that gives a filter a long list is rejected at once: a filter cannot be interrupted', () => {
    const { fellBack } = withTemplate('shipped', { text: '{% assign list = (1..400000) | where: "x", "y" %}y' })
    expect(fellBack).toEqual([
      { part: 'text', message: expect.stringContaining('uses a list of more than 10000 items') },
    ])
  })

  test.each([
    '{{ order.email | raw }}',
    '{% echo order.email %}',
    '{% liquid echo order.email %}',
    '{% cycle order.email %}',
  ])('cannot output a value as HTML with %s', (html) => {
    expect(withTemplate('orderPlaced', { html }).fellBack).toHaveLength(1)
  })

  test('escapes a value once if it uses the filter, and breaks lines', () => {
    const { html } = withTemplate('shipped', { html: '<p>{{ store.name | escape }} {{ "a&\nb" | newline_to_br }}</p>' })
    expect(html).toContain('<p>Linen &amp; Sons a&amp;<br />\nb</p>')
  })

  test('renders the same at any time', () => {
    const { text } = withTemplate('shipped', {
      text: '-{{ "now" | date: "%s" }}- {{ order.raw.placedAt | date: "%d.%m.%Y" }}',
    })
    expect(text).toBe('-- 02.03.2026')
  })

  test('has no access to the program', () => {
    const text = '-{{ order.constructor }}{{ order.__proto__ }}{{ order.lines.constructor.name }}-'
    expect(withTemplate('shipped', { text }).text).toBe('--')
  })

  test('has a subject of one line', () => {
    expect(withTemplate('shipped', { subject: 'a{{ "\r\nBcc: x" }}' }).subject).toBe('a Bcc: x')
  })

  test('may be a complete page', () => {
    const html = '<!doctype html><html lang="fr"><body><h1>{{ order.number }}</h1></body></html>'
    expect(withTemplate('shipped', { html }).html).toBe(html.replace('{{ order.number }}', 'SF-10001'))
  })
})

describe('a mail about an account', () => {
  const URL = 'https://shop.example/account/confirm#token=a&b="c"'
  const link = { url: URL, expiresAt: new Date('2026-11-22T16:57:00.000Z') }
  const reset = (template: Record<string, string>) =>
    renderAccountMail('passwordReset', { name: 'Ada', link }, { ...shop, templates: { passwordReset: template } })

  test.each(MailKind.options.filter(isAccountMail))('%s has a greeting, and its link if it has one', (kind) => {
    const mail = renderAccountMail(kind, { name: 'Ada', link }, shop)
    const about = [
      'newsletterConfirmation',
      'emailVerification',
      'emailChange',
      'passwordReset',
      'paymentLink',
    ].includes(kind)
    expect(mail.text).toMatch(/^Linen & Sons\n\nHello Ada,\n\n/)
    expect(mail.text).toContain('Linen & Sons')
    expect(mail.html).toContain('Linen &amp; Sons')
    expect(mail.text.includes(`\n\n${URL}\n\nThe link works until 22 November 2026 at 16:57 UTC.`)).toBe(about)
    const links = mail.html.match(/href="https:\/\/shop\.example\/account\/confirm#token=a&amp;b=&quot;c&quot;"/g) ?? []
    expect(links).toHaveLength(about ? 2 : 0)
  })

  test('uses the text of a merchant and keeps its link below it', () => {
    const mail = reset({
      subject: 'Nouveau mot de passe',
      text: 'Bonjour de {{ store.name }}',
      html: '<p>Bonjour<br>à vous</p>',
    })
    expect(mail.fellBack).toEqual([])
    expect(mail.subject).toBe('Nouveau mot de passe')
    expect(mail.text).toContain(`Hello Ada,\n\nBonjour de Linen & Sons\n\n${URL}\n`)
    expect(mail.html).toMatch(/<p>Bonjour<br>à vous<\/p>[^]*href="https:\/\/shop\.example\/account/)
  })

  test('marks the English parts of its text in a shop of another language', () => {
    const german = { ...shop, locale: 'de-DE', templates: { passwordReset: { html: '<p>Guten Tag</p>' } } }
    const { html } = renderAccountMail('passwordReset', { name: 'Ada', link }, german)
    expect(html).toMatch(/<html lang="de-DE"[^]*<main>/)
    expect(html).toContain('<p>Guten Tag</p>')
    const around = [...html.matchAll(/<div lang="en" dir="ltr">([^]*?)<\/div>/g)].map(([, words]) => words)
    expect(around).toEqual([expect.stringContaining('Hello Ada,'), expect.stringContaining('Choose a new password')])
    expect(renderAccountMail('passwordReset', { name: 'Ada', link }, shop).html).not.toContain('<div lang')
  })

  test.each([
    '<img src="https://evil.example/?',
    "<p>x</p><a href='https://evil.example/?",
    '<p><a href="https://evil.example">Choose a new password</a></p>',
    '<style>a{display:none}</style>',
    '<p style="display:none">x</p>',
    '<div hidden>',
    '<p>x',
    '</main><p>x</p>',
    '<!-- ',
    '<![CDATA[',
    '<textarea>',
    '<p>a<</p>',
    '<p/>',
    '<p>x</b></p>',
    '{% raw %}<base href="//evil.example">{% endraw %}',
  ])('does not let %s affect its link', (html) => {
    const mail = reset({ html })
    expect(mail.fellBack.map(({ part }) => part)).toEqual(['html'])
    expect(mail.html).toBe(renderAccountMail('passwordReset', { name: 'Ada', link }, shop).html)
  })

  test('has no variable for its link', () => {
    const words = '-{{ link }}{{ link.url }}{{ url }}{{ button }}{{ expiresAt }}-'
    expect(reset({ subject: words, text: words, html: `<p>${words}</p>` })).toMatchObject({
      subject: '--',
      text: expect.stringContaining('\n--\n'),
      html: expect.stringContaining('<p>--</p>'),
    })
  })

  test.each(['Zoë', "O'Neill-Św. J.R.", '李小龙'])('greets a customer as %s', (name) => {
    expect(renderAccountMail('passwordChanged', { name }, shop).text).toMatch(`Hello ${name},\n`)
  })

  test.each(['Win at evil.example', 'https://evil.example', 'Call 0900 555', 'a\nb', '<b>', ' ', 'x'.repeat(61)])(
    'does not repeat %j, which is not a name, in a mail to any recipient',
    (name) => {
      const templates = { passwordChanged: { text: 'Dear {{ customer.name }}!' } }
      expect(renderAccountMail('passwordChanged', { name }, { ...shop, templates }).text).toBe(
        'Linen & Sons\n\nHello,\n\nDear !',
      )
    },
  )
})

describe('text that a buyer typed', () => {
  const LURE = 'Win: http://evil.example/a www.evil.example evil.example a@evil.example +1 900 555 0100'
  const VARIABLES = [
    '{{ customer.name }} {{ order.email }} {% for line in order.shippingAddress.lines %}{{ line }} {% endfor %}',
    ...['name', 'line1', 'line2', 'city', 'region', 'postalCode', 'country', 'phone'].map(
      (field) => `{{ order.shippingAddress.${field} }}`,
    ),
  ].join(' ')
  const LINKED = /https?:\S*evil|www\.evil|evil\.example|a@|900 555/

  test.each(ORDER_MAIL_KINDS)('becomes no link in the mail %s, in our text and in that of a merchant', (kind) => {
    const data = sampleOrderData(given)
    const fields = { name: LURE, line1: LURE, line2: LURE, city: LURE, region: LURE, postalCode: LURE, phone: LURE }
    const order = {
      ...data.order,
      email: 'ada+www.evil.example/a@mail.example',
      shippingAddress: { ...fields, country: 'evil.example' },
    }
    const templates = { [kind]: { subject: 'For {{ customer.name }}', text: VARIABLES, html: `<p>${VARIABLES}</p>` } }
    for (const change of [{}, { templates }]) {
      const mail = sample(kind, change, { ...data, order })
      expect(mail.fellBack).toEqual([])
      for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toMatch(LINKED)
    }
    expect(sample(kind, { templates }, { ...data, order }).subject).toContain(
      'Win: http: / / evil. example/a www. evil. example',
    )
  })

  test('is not searched for phone numbers and addresses by mail programs that respect the meta tag', () => {
    expect(sample('orderPlaced').html).toContain(
      '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />',
    )
  })
})

describe('the mail about a refund', () => {
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  const refunded = (amount: number, sum: number) => {
    const { order, refund, ...data } = sampleOrderData(given)
    const refunds = refund && { refund: { ...refund, amount: usd(amount) } }
    return sample('refunded', {}, { ...data, ...refunds, order: { ...order, refundedTotal: usd(sum) } })
  }

  test('names the sum of several refunds', () => {
    const { text, html } = refunded(6800, 16_800)
    for (const form of [text, html]) expect(form).toContain('In total, we have refunded $168.00 of $427.93.')
  })

  test.each([
    { what: 'the only refund', amount: 16_800 },
    { what: 'a second payment, which the sum does not contain', amount: 42_793 },
  ])('names no sum for $what', ({ amount }) => {
    const { text, html } = refunded(amount, 16_800)
    expect(text + html).not.toContain('In total')
  })
})

describe('the mail about a canceled order', () => {
  const PROMISE = 'What you paid for items that were not shipped goes back to your original payment method.'
  const cancelled = (change: Partial<OrderMailData['order']>) => {
    const { order } = sampleOrderData(given)
    const nothing = { amount: 0, currency: given.currency }
    const paid = { provider: 'demo', status: 'captured' as const }
    const whole = { ...order, status: 'cancelled' as const, payment: paid, refunds: [], refundedTotal: nothing }
    return renderOrderMail('cancelled', { order: { ...whole, ...change }, locale: given.locale }, shop)
  }

  test('promises of captured money no more than is true when a part was shipped', () => {
    expect(cancelled({}).text).toContain(PROMISE)
    expect(cancelled({}).html).toContain(PROMISE)
  })

  test('promises no refund for an order that was free or never paid', () => {
    for (const mail of [
      cancelled({ total: { amount: 0, currency: given.currency } }),
      cancelled({ payment: { provider: 'demo', status: 'pending' } }),
    ]) {
      expect(mail.text).not.toMatch(/refund|goes back/)
      expect(mail.html).not.toMatch(/refund|goes back/)
    }
  })

  test('says what else is returned after a partial refund', () => {
    const mail = cancelled({
      payment: { provider: 'demo', status: 'partially_refunded' },
      refundedTotal: { amount: 16_800, currency: given.currency },
    })
    expect(mail.text).toContain(
      'We have refunded $168.00. Anything else you paid for items that were not shipped goes back to your original payment method.',
    )
  })
})

test('a default template renders the same mail, so that merchants can start from it', () => {
  for (const kind of MailKind.options) {
    expect(withTemplate(kind, { ...defaultTemplate(kind) })).toEqual(sample(kind))
  }
})
