import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { buy } from './buyer.ts'
import type { History } from './history.ts'
import type { Wanted } from './operation.ts'
import type { PaymentProvider } from './payment-provider.ts'

const BUYERS_AT_ONCE = 200
const REQUEST_TIMEOUT_MS = 10_000
const DEADLINE_MS = 60_000

export interface LoadOptions {
  url: string
  ratePerSecond: number
  history: History
  /** What buyers choose from. */
  variantIds: readonly string[]
  /** A variant of which there are few units: while there is one, every sixth buyer wants it too. */
  scarceId?: () => string | undefined
  provider: Pick<PaymentProvider, 'pay'>
  /** Ends the arrivals; the buyers under way finish. */
  signal: AbortSignal
  /** How many buyers may be under way; the others are counted and do not begin. */
  atOnce?: number
  requestTimeoutMs?: number
  deadlineMs?: number
}

export interface Load {
  arrived: () => number
  /** Arrivals that did not begin, because too many buyers were under way: the load was lower than requested. */
  turnedAway: () => number
  underWay: () => number
  /** Resolves after the last buyer has ended. Rejects with what a buyer threw, which is a defect of the load. */
  done: Promise<void>
}

/**
 * Lets new buyers arrive at a steady rate, whatever becomes of those before them: a shop that is unavailable does not
 * slow down the arrivals, so that its errors are not hidden.
 */
export function startBuyers(options: LoadOptions): Load {
  const { url, history, variantIds, provider, atOnce = BUYERS_AT_ONCE } = options
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, deadlineMs = DEADLINE_MS } = options
  // Two loads of one shop have different buyers.
  const run = randomUUID().slice(0, 8)
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  let arrived = 0
  let turnedAway = 0

  const arrive = (): void => {
    const number = arrived++
    if (underWay.size >= atOnce) {
      turnedAway++
      return
    }
    const email = `buyer-${run}-${number}@example.com`
    const wanted = wantedBy(number, variantIds, options.scarceId?.())
    const one: Promise<void> = buy({ url, history, number, email, wanted, provider, requestTimeoutMs, deadlineMs })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(one))
    underWay.add(one)
  }

  async function untilAllEnded(): Promise<void> {
    await arriveSteadily(options, arrive)
    await Promise.all(underWay)
    if (failures.length > 0) throw failures[0]
  }

  const done = untilAllEnded()
  // It is awaited much later.
  done.catch(() => {})
  return { arrived: () => arrived, turnedAway: () => turnedAway, underWay: () => underWay.size, done }
}

async function arriveSteadily(
  { ratePerSecond, signal }: Pick<LoadOptions, 'ratePerSecond' | 'signal'>,
  arrive: () => void,
): Promise<void> {
  const startMs = performance.now()
  for (let next = 0; !signal.aborted; next++) {
    // What is late, because this process was busy, begins at once.
    const waitMs = startMs + (next * 1000) / ratePerSecond - performance.now()
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) arrive()
  }
}

/** One or two units of a variant, and for many buyers one unit of the next variant, or of the scarce one. */
export function wantedBy(number: number, variantIds: readonly string[], scarceId?: string): Wanted {
  const first = variantIds[number % variantIds.length]
  if (first === undefined) throw new Error('buyers need a variant to buy')
  const next = number % 3 === 0 ? variantIds[(number + 1) % variantIds.length] : undefined
  const second = number % 6 === 1 ? scarceId : next
  return [
    { variantId: first, quantity: 1 + (number % 2) },
    ...(second !== undefined && second !== first ? [{ variantId: second, quantity: 1 }] : []),
  ]
}
