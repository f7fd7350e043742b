import type { Evidence } from './evidence.ts'
import type { Operation, OperationOf, Wanted } from './operation.ts'
import type { OrderRecord } from './order-record.ts'
import type { Violation } from './violation.ts'

/** Acknowledged orders exist as they were acknowledged, once for each checkout, and no others exist. */
export function checkOrders({ placed, lost, checkouts, reads }: Evidence): Violation[] {
  const byEmail = Map.groupBy(placed, ({ email }) => email)
  return [
    ...lost.map(({ id, message }): Violation => ({ kind: 'order lost', subject: id, message })),
    ...[...checkouts].flatMap(([email, attempts]) => duplicated(email, attempts, byEmail.get(email) ?? [])),
    ...placed.flatMap((order) => fromNowhere(order, checkouts.get(order.email))),
    ...placed.flatMap((order) => changed(order, checkouts.get(order.email) ?? [], reads.get(order.id) ?? [])),
  ]
}

function duplicated(
  email: string,
  attempts: readonly OperationOf<'checkout'>[],
  orders: readonly OrderRecord[],
): Violation[] {
  // A response may name an order that was lost since, and the repeated checkout another one.
  const ids = new Set([...orders.map(({ id }) => id), ...attempts.flatMap(({ result }) => result?.order?.id ?? [])])
  if (ids.size < 2) return []
  const message = `the checkout of ${email} became ${ids.size} orders: ${[...ids].join(', ')}`
  return [{ kind: 'order duplicated', subject: email, message }]
}

function fromNowhere({ id, email }: OrderRecord, attempts: readonly Operation[] | undefined): Violation[] {
  if (attempts?.some(({ outcome }) => outcome !== 'fail') === true) return []
  const message = attempts
    ? `the order exists, and every checkout of ${email} was rejected`
    : `the order exists, and ${email} has never checked out`
  return [{ kind: 'order from nowhere', subject: id, message }]
}

function changed(
  order: OrderRecord,
  attempts: readonly OperationOf<'checkout'>[],
  reads: readonly Operation[],
): Violation[] {
  const { id, totalMinor, currency } = order
  const differs = (message: string): Violation[] => [{ kind: 'order changed', subject: id, message }]
  const [checkout] = attempts
  if (checkout && unitsOf(checkout.action.lines) !== unitsOf(order.lines)) {
    return differs(`the cart had ${unitsOf(checkout.action.lines)}, and the order has ${unitsOf(order.lines)}`)
  }
  for (const { result } of [...attempts, ...reads]) {
    const seen = result?.order
    if (!seen || seen.id !== id) continue
    if (pricesOf(seen) !== pricesOf(order)) {
      return differs(`a buyer saw ${pricesOf(seen)}, and the order has ${pricesOf(order)}`)
    }
    if (seen.totalMinor !== totalMinor || seen.currency !== currency) {
      return differs(
        `a buyer saw a total of ${seen.totalMinor} ${seen.currency}, and the order has ${totalMinor} ${currency}`,
      )
    }
  }
  return []
}

/** Units by variant, whatever the order of the lines. */
function unitsOf(lines: Wanted): string {
  return lines
    .map(({ variantId, quantity }) => `${quantity} of ${variantId}`)
    .toSorted()
    .join(', ')
}

function pricesOf({ lines }: OrderRecord): string {
  return lines
    .map(({ variantId, quantity, unitMinor }) => `${quantity} of ${variantId} at ${unitMinor}`)
    .toSorted()
    .join(', ')
}
