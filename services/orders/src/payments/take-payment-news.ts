import { transaction } from '@storefront/chassis'
import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderOfCart, findOrderOfLines, markPaymentStatus } from '../orders/orders.queries.ts'
import { leaveSessions } from '../sessions/leave-session.ts'
import { soldLineIds, type StoredSession } from '../sessions/session.ts'
import { endSessions, findNamedSession } from '../sessions/sessions.queries.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { confirmCapture } from './confirm-capture.ts'
import { findOrderOfPayment, recordUncaptured, type CapturedPayment } from './payments.queries.ts'
import { placeFromSession } from './place-from-session.ts'
import type { PaymentNews } from './provider.ts'

export type Taken =
  /** A payment of somebody else's: the provider's account may serve more than this shop. */
  | { kind: 'unknown' }
  /** Noted; there is no order yet. */
  | { kind: 'session'; session: StoredSession }
  /** The order as it is now. */
  | { kind: 'order'; order: StoredOrder }
  /** Its goods were bought before, in another cart: the money goes back. */
  | { kind: 'surplus' }

type Context = OrdersContext
/** How often it is tried again when somebody else was faster at the same cart. */
const ATTEMPTS = 4

/**
 * The one door for news of payments, whoever brings them: webhook, browser, timer or merchant. It may be told late, again and
 * out of order: money that is there places the order and pays it, once, and is never taken back by other news.
 * @throws DependencyUnavailable when it cannot be done now: whoever brought the news keeps it and comes again
 */
export async function takePaymentNews(context: Context, news: PaymentNews): Promise<Taken> {
  const session = await findNamedSession(context.db, news)
  const known = { session, order: await findOrderOf(context, news, session) }
  if (!session && !known.order) return { kind: 'unknown' }
  switch (news.status) {
    case 'captured':
      return takeCapture(context, news, session)
    case 'authorized':
    case 'failed':
      await noteUncaptured(context, { ...news, status: news.status }, known)
      break
    case 'cancelled':
    case 'expired':
      if (session) await leaveSessions(context, await endSessions(context.db, [session.id], news.status))
      break
  }
  const order = await findOrderOf(context, news, session)
  if (order) return { kind: 'order', order }
  return session ? { kind: 'session', session } : { kind: 'unknown' }
}

/** The order that the news names, or that the session's cart became, with or without this session. */
async function findOrderOf(
  { db }: Context,
  { orderId }: PaymentNews,
  session: StoredSession | undefined,
): Promise<StoredOrder | undefined> {
  const named = orderId === undefined ? undefined : await findOrder(db, orderId)
  return named ?? (session && (await findOrderOfCart(db, session.cartId)))
}

/** The order that has this very payment already, whatever else the news names: money that bought one cart buys no other. */
async function findOrderToPay(
  context: Context,
  news: PaymentNews,
  session: StoredSession | undefined,
): Promise<StoredOrder | undefined> {
  const { provider, reference } = news
  const orderId = reference === undefined ? undefined : await findOrderOfPayment(context.db, { provider, reference })
  return orderId === undefined ? findOrderOf(context, news, session) : findOrder(context.db, orderId)
}

async function takeCapture(context: Context, news: PaymentNews, session: StoredSession | undefined): Promise<Taken> {
  if (news.reference === undefined) throw new Error(`${news.provider} tells of money without a name for the payment`)
  const { provider, reference, method = null } = news
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const order = await findOrderToPay(context, news, session)
    const amount = news.amount ?? (order ?? session)?.document.total
    if (!amount) return { kind: 'unknown' }
    const capture = {
      provider,
      reference,
      method,
      sessionId: session?.id,
      amountMinor: amount.amount,
      currency: amount.currency,
    }
    if (order) return { kind: 'order', order: await confirmCapture(context, order, capture, session) }
    if (session) {
      const placed = await placeFromSession(context, session.id, capture)
      if (placed) return { kind: 'order', order: placed }
      const surplus = await takeSurplus(context, session, capture)
      if (surplus) return surplus
    }
  }
  throw new Error(`no order could be made of payment ${provider} ${reference}`)
}

/**
 * Money for a cart of which a line was bought with another cart, because the two were merged meanwhile: the buyer gets it back,
 * and what else was in this cart stays in it.
 */
async function takeSurplus(
  context: Context,
  session: StoredSession,
  capture: Omit<CapturedPayment, 'orderId'>,
): Promise<Taken | undefined> {
  if (await findOrderOfCart(context.db, session.cartId)) return undefined
  const order = await findOrderOfLines(context.db, soldLineIds(session))
  if (!order) return undefined
  await confirmCapture(context, order, { ...capture, isForOtherCart: true }, session)
  return { kind: 'surplus' }
}

async function noteUncaptured(
  { db, clock }: Context,
  news: PaymentNews & { status: 'authorized' | 'failed' },
  { session, order }: { session: StoredSession | undefined; order: StoredOrder | undefined },
): Promise<void> {
  const { provider, reference, status, method = null } = news
  const amount = news.amount ?? (order ?? session)?.document.total
  await transaction(db, async (tx) => {
    const now = clock.now()
    const isNews = order ? await markPaymentStatus(tx, order.id, status, BEFORE[status]) : false
    if (order && isNews) {
      const detail = { provider, ...(reference === undefined ? {} : { reference }) }
      await recordSteps(tx, [{ orderId: order.id, kind: `payment_${status}`, detail }], now)
    }
    if (reference === undefined || !amount) return
    const payment = { provider, reference, status, method, sessionId: session?.id, orderId: order?.id }
    await recordUncaptured(tx, { ...payment, amountMinor: amount.amount, currency: amount.currency }, now)
  })
}

/** What an order's payment may be for such news to change it: money that is there never goes by them. */
const BEFORE = { authorized: ['pending', 'failed'], failed: ['pending'] } as const
