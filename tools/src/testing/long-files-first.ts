import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, mostly waiting for outages to end. Vitest knows durations only after a first run, and
 * starts the largest files first.
 */
const LONG_FILES = [
  '/tests/outage.test.ts',
  '/tests/crash.test.ts',
  '/tests/network-under-load.test.ts',
  '/tests/replicas-under-load.test.ts',
]
/**
 * Files that mostly wait, as for retries, which together would leave both processors idle; and small files that take
 * long, which would start last and leave one idle.
 */
const SPREAD_FILES = [
  '/services/notifier/test/webhook-faults.test.ts',
  '/services/notifier/test/mail-faults.test.ts',
  '/services/notifier/test/order-mails.test.ts',
  '/services/gateway/test/slow-clients.test.ts',
  '/services/notifier/test/killed.test.ts',
  '/services/notifier/test/credentials.test.ts',
  '/services/identity/test/passwords.test.ts',
  '/services/identity/test/newsletter.test.ts',
  '/services/catalog/test/due-alerts.test.ts',
  '/services/catalog/test/alerts.test.ts',
  '/services/notifier/test/test-notification.test.ts',
  '/services/notifier/test/webhooks.test.ts',
  '/services/orders/test/stripe.test.ts',
  '/tests/documents/start.test.ts',
  '/tests/model/interleavings.test.ts',
]
/** One of them starts after this many others. */
const OTHERS_BETWEEN = 4
/** More whole shops with many processes would slow each other down until they time out. */
const AT_ONCE = 2

/** Starts the long files early, because a long file that starts last leaves a processor idle, and spreads others. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inDefaultOrder = super.sort.bind(this)
    const sorted = await inDefaultOrder(files)
    const named = (names: readonly string[]) =>
      names.flatMap((end) => sorted.filter(({ moduleId }) => moduleId.endsWith(end)))
    const long = named(LONG_FILES)
    const spread = named(SPREAD_FILES)
    const rest = sorted.filter((file) => !long.includes(file) && !spread.includes(file))
    const mixed = rest.flatMap((file, index) =>
      index % OTHERS_BETWEEN === 0 ? [file, ...spread.splice(0, 1)] : [file],
    )
    const others = [...mixed, ...spread]
    return [...long.slice(0, AT_ONCE), ...others.slice(0, AT_ONCE), ...long.slice(AT_ONCE), ...others.slice(AT_ONCE)]
  }
}
