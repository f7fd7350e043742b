import type { Evidence } from './evidence.ts'
import type { Operation, Wanted } from './operation.ts'
import type { Violation } from './violation.ts'

/** The codes of a 409 for want of units. */
const SHORT: ReadonlySet<string> = new Set(['out_of_stock', 'insufficient_inventory'])

/**
 * A buyer is rejected for want of units only when there may have been too few: other checkouts had requested the others,
 * and each of these succeeded, may have succeeded, or was under way.
 */
export function checkRejections({ operations, before, checkouts }: Evidence): Violation[] {
  const atStart = new Map(before.stock.map(({ variantId, onHand, reserved }) => [variantId, onHand - reserved]))
  const requests = Map.groupBy(
    [...checkouts.values()].flatMap((attempts) =>
      (attempts[0]?.action.lines ?? []).map((line) => ({ ...line, attempts })),
    ),
    ({ variantId }) => variantId,
  )
  // However the other checkouts ended, these units were there.
  const leastLeft = (variantId: string, rejection: Operation): number =>
    (requests.get(variantId) ?? [])
      .filter(({ attempts }) => attempts.some((attempt) => mayHold(attempt, rejection)))
      .reduce((left, { quantity }) => left - quantity, atStart.get(variantId) ?? 0)

  return operations.flatMap((rejection): Violation[] => {
    const { action, code = '' } = rejection
    const lines = SHORT.has(code) ? linesOf(rejection) : []
    if (!('cartId' in action) || lines.length === 0) return []
    if (lines.some(({ variantId, quantity }) => leastLeft(variantId, rejection) < quantity)) return []
    const shown = lines.map(({ variantId, quantity }) => `${quantity} of ${variantId}`).join(', ')
    const message = `${action.kind} of ${shown} was rejected with ${code}, and there were enough units`
    return [{ kind: 'rejected for no reason', subject: action.cartId, message }]
  })
}

function linesOf({ action }: Operation): Wanted {
  if (action.kind === 'checkout') return action.lines
  return action.kind === 'add-line' ? [action] : []
}

/** Whether a checkout may have had its units when another request was rejected. */
function mayHold(checkout: Operation, rejection: Operation): boolean {
  if (checkout.id === rejection.id || checkout.invokedAtMs >= rejection.endedAtMs) return false
  return checkout.outcome !== 'fail' || checkout.endedAtMs > rejection.invokedAtMs
}
