import { describe, expect, test } from 'vitest'
import { orderPlaced } from '../../test/setting.ts'
import { writeOrderPlaced } from './order-placed.ts'

const HOSTILE = `<script>alert("x")</script>&'`

describe('the mail for a placed order', () => {
  test('lists lines, sums and the address, with amounts as the locale writes them', () => {
    const { order } = orderPlaced('SF-10001')
    const mail = writeOrderPlaced({ order, locale: 'de-DE' })
    expect(mail.subject).toBe('Order SF-10001 received')
    expect(mail.text).toContain('2 x Linen Shirt (Color: Ecru, Size: M): 336,00\u00a0$')
    expect(mail.text).toContain('Discount (WELCOME10): -33,60\u00a0$')
    expect(mail.text).toContain('Total: 326,59\u00a0$')
    expect(mail.text).toContain('Ada Lovelace\n12 Analytical Row\nLondon, W1 1AA\nGB')
    expect(mail.html).toContain('326,59\u00a0$')
  })

  test('escapes whatever a shopper or a merchant wrote', () => {
    const { order } = orderPlaced(HOSTILE)
    const [line] = order.lines
    const mail = writeOrderPlaced({
      locale: 'en-US',
      order: {
        ...order,
        lines: line ? [{ ...line, title: HOSTILE, options: { [HOSTILE]: HOSTILE } }] : [],
        discountCode: { code: HOSTILE, label: HOSTILE },
        shippingAddress: { ...order.shippingAddress, name: HOSTILE, line1: HOSTILE, city: HOSTILE, country: HOSTILE },
      },
    })
    expect(mail.html).not.toContain('<script')
    expect(mail.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;')
  })

  test('is written in English amounts when the locale is none', () => {
    const { order } = orderPlaced('SF-1')
    expect(writeOrderPlaced({ order, locale: 'no such locale' }).text).toContain('Total: $326.59')
  })
})
