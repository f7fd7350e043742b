import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that mostly wait, as for outages to end and for retries, with the seconds that they take beside others. Together
 * they would leave both processors idle, and one that starts last would leave one idle. Shorter ones are not named.
 */
const WAITING_FILES: Record<string, number> = {
  '/tests/crash.test.ts': 80,
  '/tests/outage.test.ts': 70,
  '/tests/network-under-load.test.ts': 51,
  '/tests/metrics.test.ts': 51,
  '/tests/replicas-under-load.test.ts': 45,
  '/services/notifier/test/webhook-faults.test.ts': 43,
  '/services/notifier/test/order-mails.test.ts': 39,
  '/services/notifier/test/killed.test.ts': 32,
  '/services/gateway/test/slow-clients.test.ts': 31,
  '/tests/backup.test.ts': 31,
  '/tests/order-mails.test.ts': 29,
  '/services/notifier/test/mail-faults.test.ts': 26,
  '/services/notifier/test/credentials.test.ts': 26,
  '/tests/documents/start.test.ts': 23,
  '/services/identity/test/passwords.test.ts': 22,
  '/services/notifier/test/webhooks.test.ts': 22,
  '/services/orders/test/stripe.test.ts': 20,
  '/services/identity/test/newsletter.test.ts': 20,
  '/services/catalog/test/due-alerts.test.ts': 20,
  '/tests/browser/sign-in.test.ts': 17,
  '/services/notifier/test/test-notification.test.ts': 17,
}
/** About how long another file takes. */
const SECONDS_PER_FILE = 0.33
const SECONDS_PER_BYTE = 0.000_32

/** Starts files so that at each moment some wait and the others compute, the longest first. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inDefaultOrder = super.sort.bind(this)
    const sorted = await inDefaultOrder(files)
    const { maxWorkers } = this.ctx.config
    // With more of them at once, whole shops with many processes would slow each other down until they time out.
    const waitingAtOnce = Math.floor(maxWorkers / 2)
    const waiting = Object.keys(WAITING_FILES).flatMap((end) => sorted.filter(({ moduleId }) => moduleId.endsWith(end)))
    const others = sorted.filter((file) => !waiting.includes(file))
    const processes = Array.from({ length: maxWorkers }, () => ({ free: 0, waits: false }))
    return sorted.flatMap(() => {
      const process = processes.toSorted((one, other) => one.free - other.free)[0]
      if (!process) return []
      const waitingNow = processes.filter((each) => each.waits && each.free > process.free).length
      const takesWaiting = waitingNow < waitingAtOnce && waiting.length > 0
      const file = (takesWaiting ? waiting.shift() : others.shift()) ?? waiting.shift()
      if (!file) return []
      process.waits = secondsOf(file) !== undefined
      process.free += secondsOf(file) ?? SECONDS_PER_FILE + statSync(file.moduleId).size * SECONDS_PER_BYTE
      return [file]
    })
  }
}

function secondsOf({ moduleId }: TestSpecification): number | undefined {
  return Object.entries(WAITING_FILES).find(([end]) => moduleId.endsWith(end))?.[1]
}
