import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { buy } from './buyer.ts'
import { wantedBy } from './buyers.ts'
import { openHistory } from './history.ts'
import { ofKind } from './operation.ts'
import type { PaymentProvider } from './payment-provider.ts'

const BUYERS = 16
const WARM_UP_MS = 10_000
const MEASURED_MS = 20_000
const LIMITS = { requestTimeoutMs: 10_000, deadlineMs: 60_000 }

/** Lets buyers buy one order after the other. @returns how many checkouts succeed in a second */
export async function measurePeak({
  url,
  variantIds,
  provider,
  historyPath,
}: {
  url: string
  variantIds: readonly string[]
  provider: Pick<PaymentProvider, 'pay'>
  historyPath: string
}): Promise<number> {
  const history = openHistory(historyPath)
  const run = randomUUID().slice(0, 8)
  let isOver = false
  let count = 0
  const buyAgain = async (): Promise<void> => {
    while (!isOver) {
      const number = count++
      const email = `peak-${run}-${number}@example.com`
      await buy({ url, history, number, email, wanted: wantedBy(number, variantIds), provider, ...LIMITS })
    }
  }
  const buyers = Array.from({ length: BUYERS }, buyAgain)
  await sleep(WARM_UP_MS)
  const fromMs = performance.now()
  await sleep(MEASURED_MS)
  const toMs = performance.now()
  isOver = true
  await Promise.all(buyers)
  await history.close()
  const sold = ofKind(history.operations(), 'checkout').filter(
    ({ outcome, endedAtMs }) => outcome === 'ok' && endedAtMs >= fromMs && endedAtMs < toMs,
  )
  return sold.length / ((toMs - fromMs) / 1000)
}
