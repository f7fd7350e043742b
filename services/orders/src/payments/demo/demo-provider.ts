import { randomUUID } from 'node:crypto'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import type { Clock } from '@storefront/service'
import type { Database } from '../../database.ts'
import { badSignature, unreadableWebhook } from '../../errors.ts'
import {
  ProviderRejection,
  ProviderUnavailable,
  type PaymentProvider,
  type PaymentUpdate,
  type RefundUpdate,
} from '../provider.ts'
import { DEMO, updateOfDemoEvent, typeOfDemoEvent } from './demo-event.ts'
import { signedMessageId } from './demo-signature.ts'
import {
  closeDemoSession,
  findDemoRefund,
  findDemoSession,
  findDemoSessionOf,
  insertDemoSession,
  noteDemoRefund,
  UNDECIDED,
  type DemoRefund,
  type DemoSession,
} from './demo.queries.ts'

interface DemoProviderOptions {
  db: Database
  clock: Clock
  /** Public address of the shop, with the base path: the pages lie below it. */
  publicUrl: string
  /** Signs webhooks that are sent over HTTP; without it none is accepted. */
  webhookSecret: string | undefined
}

/**
 * A payment provider that moves no money, with pages and records of its own, so that a whole shop can be tried out. It
 * stands for an external company and behaves like one, except that its webhooks do not travel over HTTP.
 */
export function createDemoProvider({ db, clock, publicUrl, webhookSecret }: DemoProviderOptions): PaymentProvider {
  const urlOf = (id: string) => `${publicUrl}/payments/demo/${id}`

  return {
    name: DEMO,
    isConfigured: () => true,
    openSession: (session) =>
      reach(async () => {
        // 122 random bits: anyone who knows the address may pay.
        await insertDemoSession(db, `demo_cs_${randomUUID().replaceAll('-', '')}`, session, clock.now())
        const opened = await findDemoSessionOf(db, session.id)
        if (!opened) throw new ProviderRejection(DEMO, 'the session was not stored')
        return { providerSession: opened.id, url: urlOf(opened.id) }
      }),
    closeSession: ({ providerSession }) => reach(() => closeDemoSession(db, providerSession)),
    inspectSession: ({ id }) =>
      reach(async () => {
        const found = await findDemoSessionOf(db, id)
        if (!found) return undefined
        if (!isUndecided(found) || found.expires_at > clock.now()) return updateOf(found)
        // The expiry is stored before it is reported, so a buyer who pays at this moment by another clock is either in
        // time or too late.
        await closeDemoSession(db, found.id)
        const settled = await findDemoSession(db, found.id)
        return settled && updateOf(settled)
      }),
    refund: (refund) =>
      reach(async () => {
        const made = await noteDemoRefund(db, `demo_re_${randomUUID().replaceAll('-', '')}`, refund, clock.now())
        if (!made) throw new ProviderRejection(DEMO, 'the refund was not stored')
        const isSame =
          made.payment_reference === refund.paymentReference &&
          made.amount_minor === refund.amount.amount &&
          made.currency === refund.amount.currency
        if (!isSame) throw new ProviderRejection(DEMO, 'another refund has this id')
        return { reference: made.reference, status: 'succeeded' as const }
      }),
    inspectRefund: ({ id }) =>
      reach(async () => {
        const made = await findDemoRefund(db, id)
        return made && updateOfRefund(made)
      }),
    verifyWebhook(webhook) {
      const eventId = signedMessageId(webhook, webhookSecret, clock.now())
      if (eventId === undefined) throw badSignature()
      const type = typeOfDemoEvent(webhook.body)
      if (type === undefined) throw unreadableWebhook()
      return { eventId, type }
    },
    readWebhook: updateOfDemoEvent,
  }
}

function isUndecided({ status }: DemoSession): boolean {
  return UNDECIDED.some((undecided) => undecided === status)
}

const STATUS_OF = { paid: 'captured', cancelled: 'cancelled', closed: 'expired' } as const

function updateOf(session: DemoSession): PaymentUpdate | undefined {
  const { status } = session
  if (status === 'open' || status === 'declined') return undefined
  return {
    kind: 'payment',
    provider: DEMO,
    status: STATUS_OF[status],
    reference: session.payment_reference ?? undefined,
    sessionId: session.session_id,
    providerSession: session.id,
    orderId: undefined,
    amount: { amount: session.total_minor, currency: session.currency },
    method: DEMO,
  }
}

function updateOfRefund(made: DemoRefund): RefundUpdate {
  return {
    kind: 'refund',
    provider: DEMO,
    status: 'succeeded',
    reference: made.reference,
    refundId: made.id,
    paymentReference: made.payment_reference,
    amount: { amount: made.amount_minor, currency: made.currency },
  }
}

/** Its records are in a database that may be down, which is reported like an unavailable provider. */
async function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isOutage(error) || isDatabaseTimeout(error)) throw new ProviderUnavailable(DEMO, error)
    throw error
  }
}
