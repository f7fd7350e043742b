import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take much longer than their size says, because they wait for outages to end, the longest first. */
const LONG_FILES = [
  'tests/crash.test.ts',
  'tests/outage.test.ts',
  'tests/network-under-load.test.ts',
  'tests/metrics.test.ts',
  'tests/replicas-under-load.test.ts',
  'tests/backup.test.ts',
  'tests/order-mails.test.ts',
  'tests/documents/start.test.ts',
  'tests/browser/sign-in.test.ts',
  'services/notifier/test/webhook-faults.test.ts',
  'services/notifier/test/order-mails.test.ts',
  'services/notifier/test/mail-faults.test.ts',
  'services/notifier/test/killed.test.ts',
  'services/notifier/test/credentials.test.ts',
  'services/orders/test/stripe.test.ts',
]

/** Starts files that are known to take long before the others: one that starts last would leave a processor idle. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inDefaultOrder = super.sort.bind(this)
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG_FILES.findIndex((path) => moduleId.endsWith(`/${path}`))
      return index === -1 ? LONG_FILES.length : index
    }
    return (await inDefaultOrder(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
