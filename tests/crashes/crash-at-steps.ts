import type { ServiceName } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { holdWatchedLock } from '../support/hold-lock.ts'
import type { TestShop } from '../support/shop.ts'

/** A reservation waits at its step for a tenth of a second only. */
const LONGEST_PAUSE_MS = 50

export interface StepToReach {
  name: string
  /** Blocks what reaches this step. */
  lock: string
  /** The service whose connection waits for the lock. */
  waiting: ServiceName
  /** A part of the statement that waits for the lock. */
  statement?: string | undefined
  /** Begins what is to wait at the step. */
  begin: () => void
  /** Whether it has reached the step, where it does not wait for the lock. */
  isReached?: (() => Promise<boolean>) | undefined
}

/**
 * Kills a service while something waits at each of these steps, and waits until the service is ready again.
 * @param steps the last one first, because what is to reach it must pass the others before they are blocked
 */
export async function crashAtSteps(
  shop: TestShop,
  victim: ServiceName,
  steps: readonly StepToReach[],
  whileDown: () => Promise<void> = async () => {},
): Promise<void> {
  const held: { isReached: () => Promise<boolean>; release: () => Promise<void> }[] = []
  try {
    for (const { name, lock, waiting, statement, begin, ...step } of steps) {
      const { blocks, release } = await holdWatchedLock(shop, lock)
      const isReached = step.isReached ?? (() => blocks(waiting, statement))
      held.push({ isReached, release })
      begin()
      await waitFor(`a statement to be blocked at ${name}`, isReached, undefined, LONGEST_PAUSE_MS)
    }
    await waitFor(
      'all to be at their steps at once',
      async () => (await Promise.all(held.map(({ isReached }) => isReached()))).every(Boolean),
      undefined,
      LONGEST_PAUSE_MS,
    )
    await shop.shop.services[victim].kill('SIGKILL')
  } finally {
    await Promise.all(held.map(({ release }) => release()))
  }
  await whileDown()
  await shop.shop.services[victim].waitReady()
}
