import type { AlertMailKind, Order, Refund } from '@storefront/contracts'
import type { AccountMailData, AlertMailSource, OrderMailSource } from './mail-data.ts'

const PLACED_AT = '2026-03-02T10:00:00.000Z'

/**
 * A sample order for previews and test mails, in the shop's currency. It belongs to no customer, and its link is not
 * valid.
 */
export function sampleOrderData({ locale, currency }: { locale: string; currency: string }): OrderMailSource {
  const money = (amount: number) => ({ amount, currency })
  const refund: Refund = {
    id: 'refund_sample',
    amount: money(16_800),
    reason: 'One shirt was returned',
    createdAt: '2026-03-09T10:00:00.000Z',
    restocked: true,
    status: 'succeeded',
  }
  const order: Order = {
    id: 'order_sample',
    number: 'SF-10001',
    status: 'fulfilled',
    placedAt: PLACED_AT,
    lines: [
      sampleLine('line_1', 'Linen Shirt', { Color: 'Ecru', Size: 'M' }, 2, money(16_800), money(33_600)),
      sampleLine('line_2', 'Wool Scarf', {}, 1, money(9500), money(9500)),
    ],
    subtotal: money(43_100),
    discount: money(4310),
    shipping: money(900),
    tax: money(3103),
    total: money(42_793),
    discountCode: { code: 'WELCOME10', label: '10% off' },
    shippingAddress: {
      name: 'Ada Lovelace',
      line1: '12 Analytical Row',
      line2: '',
      city: 'London',
      region: '',
      postalCode: 'W1 1AA',
      country: 'GB',
      phone: '',
    },
    shippingMethod: 'standard',
    giftMessage: 'Happy birthday! For many long walks.',
    email: 'ada@example.com',
    tracking: { carrier: 'Example Post', code: 'EP123456789', url: 'https://post.example/EP123456789' },
    payment: { provider: 'demo', status: 'partially_refunded', method: 'card' },
    refunds: [refund],
    refundedTotal: money(16_800),
  }
  return { order, locale, refund, url: 'https://shop.example/order/order_sample?token=sample' }
}

/** An order without any optional data: a template must render it, too. */
export function sparseOrderData(given: { locale: string; currency: string }): OrderMailSource {
  const { order, locale } = sampleOrderData(given)
  const { discountCode: _code, tracking: _tracking, giftMessage: _message, ...rest } = order
  const nothing = { amount: 0, currency: given.currency }
  const payment = { provider: 'demo', status: 'pending' as const }
  return {
    locale,
    order: { ...rest, payment, discount: nothing, tax: nothing, refunds: [], refundedTotal: nothing, lines: [] },
  }
}

function sampleLine(
  id: string,
  title: string,
  options: Record<string, string>,
  quantity: number,
  unitPrice: Order['total'],
  lineTotal: Order['total'],
): Order['lines'][number] {
  const image = { url: '/media/placeholder.svg', alt: title }
  return { id, variantId: `${id}_variant`, productSlug: id, title, options, image, quantity, unitPrice, lineTotal }
}

/** The link is not valid: a preview must not give access to anything. */
export function sampleAccountData(): AccountMailData {
  return {
    name: 'Ada',
    link: { url: 'https://shop.example/sample-link', expiresAt: new Date('2026-03-02T11:00:00.000Z') },
  }
}

/** The links are not valid, as in the sample of an account. */
export function sampleAlertData(kind: AlertMailKind, { currency }: { currency: string }): AlertMailSource {
  const money = (amount: number) => ({ amount, currency })
  const isAboutPrice = kind === 'priceDrop'
  return {
    about: isAboutPrice ? 'price-drop' : 'back-in-stock',
    product: {
      slug: 'linen-shirt',
      title: 'Linen Shirt',
      options: isAboutPrice ? {} : { Color: 'Ecru', Size: 'M' },
      image: { url: '/media/placeholder.svg', alt: 'Linen Shirt' },
      price: money(16_800),
    },
    ...(isAboutPrice && { formerPrice: money(19_800) }),
    productUrl: 'https://shop.example/product/linen-shirt',
    unsubscribeUrl: 'https://shop.example/sample-link',
    ...(kind === 'alertConfirmation' && { confirm: sampleAccountData().link }),
  }
}

/** An alert about a product without any optional data: a template must render it, too. */
export function sparseAlertData(given: { currency: string }): AlertMailSource {
  const { product, productUrl, unsubscribeUrl } = sampleAlertData('priceDrop', given)
  return { about: 'price-drop', product, productUrl, unsubscribeUrl }
}
