import type { Evidence } from './evidence.ts'
import { ofKind } from './operation.ts'
import { isCaptured, type OrderRecord } from './order-record.ts'
import type { Violation } from './violation.ts'

/** Each payment has an order, and the payment of a canceled order has a refund. */
export function checkPayments({ operations, placed, lost }: Evidence): Violation[] {
  const payers = new Set(placed.filter(isCaptured).map(({ email }) => email))
  // The loss of the order is reported already.
  for (const { seen } of lost) if (seen) payers.add(seen.email)
  const payments = new Map(
    ofKind(operations, 'pay').flatMap(({ outcome, action: { sessionId, email } }) =>
      outcome === 'ok' && !payers.has(email) ? [[sessionId, email] as const] : [],
    ),
  )
  return [
    ...[...payments].map(([subject, email]): Violation => ({
      kind: 'payment without order or refund',
      subject,
      message: `${email} has paid and has no paid order`,
    })),
    ...placed.filter(isKept).map(({ id: subject }): Violation => ({
      kind: 'payment without order or refund',
      subject,
      message: 'the order is canceled, and its payment was not refunded',
    })),
  ]
}

function isKept({ status, payment, refunds }: OrderRecord): boolean {
  const isRefunded = refunds.some((refund) => refund.status !== 'failed')
  return status === 'cancelled' && payment.status === 'captured' && !isRefunded
}
