import { SalesSummary, type CartLine, type Order } from '@storefront/contracts'
import type { CapturedPayment } from '../src/payments/payments.queries.ts'
import type { RefundUpdate } from '../src/payments/provider.ts'
import { createRefundsShop, type RefundsShop } from './refunds-shop.ts'
import { cartLine, orderOf, usd, type FakeCart, type TestResponse } from './shop.ts'

export interface SalesShop extends RefundsShop {
  /** An order that waits for its payment. */
  placeUnpaid(more?: Partial<FakeCart>): Promise<Order>
  payAt(orderId: string, at: string, payment?: Partial<CapturedPayment>): Promise<void>
  /** An order of 49.20 that was paid then. */
  sellAt(at: string, more?: Partial<FakeCart>): Promise<Order>
  /** The provider reports a refund of the payment of `payAt`. */
  refundAt(orderId: string, at: string, update: Partial<RefundUpdate> & { reference: string }): Promise<void>
  requestSummary(query: string, headers?: object): Promise<TestResponse>
  /** @param query such as `from=2031-01-01&to=2031-01-31` */
  summary(query: string): Promise<SalesSummary>
  /** The figures of one day. */
  totalsOf(day: string): Promise<SalesSummary['totals']>
}

/** A shop whose payments and refunds are made at times that the test chooses. */
export async function createSalesShop(): Promise<SalesShop> {
  const shop = await createRefundsShop()
  const { suite } = shop
  const requestSummary: SalesShop['requestSummary'] = (query, headers = suite.headers.admin(['orders:read'])) =>
    shop.call('GET', `/admin/summary?${query}`, undefined, headers)
  const summary: SalesShop['summary'] = async (query) => {
    const { status, body } = await requestSummary(query)
    if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
    return SalesSummary.parse(body)
  }
  const placeUnpaid: SalesShop['placeUnpaid'] = async (more) =>
    orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api', ...more }).id))
  const payAt: SalesShop['payAt'] = (orderId, at, payment) =>
    shop.pay({ reference: `pay_${orderId}`, orderId, ...payment }, new Date(at))
  return {
    ...shop,
    placeUnpaid,
    payAt,
    async sellAt(at, more) {
      const order = await placeUnpaid(more)
      await payAt(order.id, at, { amountMinor: order.total.amount })
      return order
    },
    async refundAt(orderId, at, update) {
      await shop.notify({ paymentReference: `pay_${orderId}`, ...update }, { now: () => new Date(at) })
    },
    requestSummary,
    summary,
    totalsOf: async (day) => (await summary(`from=${day}&to=${day}`)).totals,
  }
}

/** A line of a product that has an id. */
export function lineOf(product: string, quantity: number, unitPrice = 4000): CartLine {
  return cartLine({
    productId: `prod_${product}`,
    productSlug: product,
    title: `The ${product}`,
    options: {},
    image: { url: `/media/${product}.svg`, alt: product },
    quantity,
    unitPrice: usd(unitPrice),
  })
}
