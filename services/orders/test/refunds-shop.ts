import { actorVerifier, DependencyUnavailable, systemClock, type Clock } from '@storefront/service'
import { replyTo } from '@storefront/messaging'
import { createDatabase, transaction } from '@storefront/postgres'
import { ReadPrices, type Order, type Refund } from '@storefront/contracts'
import { priceSettings, waitFor, type Suite } from '@storefront/tools/testing'
import type { Database, OrdersTables } from '../src/database.ts'
import { lockOrders } from '../src/orders/orders.queries.ts'
import type { StoredOrder } from '../src/orders/order.ts'
import { cancelOrder } from '../src/orders/cancel-order.ts'
import { confirmPayments } from '../src/payments/confirm-payments.ts'
import type { CapturedPayment } from '../src/payments/payments.queries.ts'
import type { RefundUpdate } from '../src/payments/provider.ts'
import type { PaymentProviders } from '../src/payments/providers.ts'
import { applyRefundUpdate } from '../src/refunds/apply-refund-update.ts'
import { simulateRefundingProvider, type RefundingProvider } from './refunding-provider.ts'
import { createShop, orderOf, usd, type TestResponse, type Neighbors, type Shop } from './shop.ts'

export interface Settings {
  restockOnRefund: boolean
  away: boolean
}

/** Replies to catalog's request for the settings as the test configures. */
export async function simulateSettings(suite: Suite, { catalog }: Neighbors): Promise<Settings> {
  const settings: Settings = { restockOnRefund: true, away: false }
  const verifyActor = actorVerifier(suite.env('catalog')['ACTOR_PUBLIC_KEY'] ?? '', systemClock)
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, ReadPrices, () => {
    if (settings.away) return Promise.reject(new DependencyUnavailable('postgres'))
    const { restockOnRefund } = settings
    return Promise.resolve({ entries: [], settings: priceSettings({ restockOnRefund }) })
  })
  await (await catalog.opened).flush()
  return settings
}

export interface RefundsShop extends Omit<Shop, 'providers'> {
  provider: RefundingProvider
  providers: PaymentProviders
  settings: Settings
  db: Database
  clock: Clock
  /** An order of 49.20, paid unless its mode says otherwise. */
  place(mode?: 'demo' | 'api'): Promise<Order>
  refund(idOrNumber: string, body?: unknown, headers?: object): Promise<TestResponse>
  order(id: string): Promise<StoredOrder>
  refundsOf(id: string): Promise<Refund[]>
  pay(payment: Partial<CapturedPayment> & { orderId: string }, at?: Date): Promise<void>
  cancel(id: string, restock?: boolean): Promise<void>
  notify(update: Partial<RefundUpdate> & { paymentReference: string }, clock?: Clock): Promise<'noted' | 'unknown'>
  timeline(id: string): Promise<{ kind: string; actor: string | null; detail: Record<string, unknown> }[]>
  /** Makes pending refunds due, as if their pause had passed. */
  makeDue(): Promise<void>
  setStatus(id: string, status: string): Promise<void>
}

export const TOTAL = 4920

export async function createRefundsShop(): Promise<RefundsShop> {
  const provider = simulateRefundingProvider('demo')
  const providers = new Map([['demo', provider]])
  const shop = await createShop({ providers })
  const { suite } = shop
  const settings = await simulateSettings(suite, shop)
  shop.stock.set('var_m', 1000)
  const url = suite.env('orders')['DATABASE_URL'] ?? ''
  const db = createDatabase<OrdersTables>({ url, poolSize: 4, name: 'test', log: suite.log })
  const order: RefundsShop['order'] = async (id) => {
    const [found] = await transaction(db, (tx) => lockOrders(tx, [id]))
    if (!found) throw new Error('no such order')
    return found
  }
  return {
    ...shop,
    provider,
    providers,
    settings,
    db,
    clock: systemClock,
    order,
    async place(mode = 'demo') {
      const placed = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: mode }).id))
      if (mode === 'demo') await waitFor('the payment', async () => (await order(placed.id)).status === 'paid')
      return placed
    },
    refund: (idOrNumber, body, headers = suite.headers.admin(['orders:write'])) =>
      shop.call('POST', `/admin/orders/${idOrNumber}/refunds`, body, headers),
    refundsOf: async (id) => (await order(id)).refunds,
    async pay(payment, at = systemClock.now()) {
      const captured = {
        provider: 'demo',
        reference: `extra_${payment.orderId}`,
        amountMinor: TOTAL,
        currency: 'USD',
        method: 'card',
        ...payment,
      }
      await transaction(db, (tx) => confirmPayments(tx, [captured], at))
    },
    async cancel(id, restock = true) {
      await transaction(db, async (tx) => {
        const [locked] = await lockOrders(tx, [id])
        if (locked && locked.status !== 'cancelled') await cancelOrder(tx, locked, { now: systemClock.now(), restock })
      })
    },
    async notify(update, clock = systemClock) {
      const whole: RefundUpdate = {
        kind: 'refund',
        provider: 'demo',
        status: 'succeeded',
        reference: 're_foreign',
        refundId: undefined,
        amount: usd(TOTAL),
        ...update,
      }
      return (await applyRefundUpdate({ db, clock }, whole)).kind
    },
    timeline: (id) =>
      suite.sql('select kind, actor, detail from orders.order_timeline where order_id = $1 order by id', [id]),
    makeDue: async () =>
      void (await suite.sql(`update orders.refunds set next_attempt_at = now() where status = 'pending'`)),
    setStatus: async (id, status) =>
      void (await suite.sql('update orders.orders set status = $2 where id = $1', [id, status])),
    async stop() {
      await db.destroy()
      await shop.stop()
    },
  }
}
