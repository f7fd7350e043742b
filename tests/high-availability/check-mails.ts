import { mailKey, type Evidence } from './evidence.ts'
import { isCaptured, type OrderRecord } from './order-record.ts'
import type { SentMail } from './shop-state.ts'
import type { Violation } from './violation.ts'

/**
 * Each order has its mails, once. A mail of which the shop says that its delivery is uncertain may have arrived or not:
 * it gives up such a mail rather than send it twice.
 */
export function checkMails({ after, placed }: Evidence): Violation[] {
  const sent = countByKey(after.mails)
  const uncertain = countByKey(after.uncertainMails)
  return placed.flatMap((order) =>
    [...expectedMails(order)].flatMap(([kind, expected]): Violation[] => {
      const key = `${kind} ${mailKey(order)}`
      const found = sent.get(key) ?? 0
      const { number: subject } = order
      if (found > expected) {
        return [{ kind: 'mail twice', subject, message: `${found} mails ${kind} in place of ${expected}` }]
      }
      if (found + (uncertain.get(key) ?? 0) < expected) {
        return [{ kind: 'mail missing', subject, message: `${found} mails ${kind} in place of ${expected}` }]
      }
      return []
    }),
  )
}

/** The mails that follow from the state of an order, by kind (docs/mail.md), except those about parcels. */
function expectedMails(order: OrderRecord): Map<string, number> {
  return new Map([
    ['orderPlaced', 1],
    // An order that costs nothing has no payment.
    ['paymentCaptured', isCaptured(order) && order.totalMinor > 0 ? 1 : 0],
    ['refunded', order.refunds.filter(({ status }) => status === 'succeeded').length],
    ['cancelled', order.status === 'cancelled' ? 1 : 0],
  ])
}

function countByKey(mails: readonly SentMail[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, orderNumber, to } of mails) {
    const key = `${kind} ${mailKey({ number: orderNumber, email: to })}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
