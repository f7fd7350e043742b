import { REFUND_LEASE_MS } from './refund.ts'
import { claimDueRefunds } from './refunds.queries.ts'
import { sendRefund, type SendContext } from './send-refund.ts'

/** For each run; the next run continues. */
const AT_ONCE = 10

/**
 * Makes queued refunds, and continues those that a crash or an unavailable provider left behind. It never gives up:
 * the pauses grow to an hour, and from the tenth attempt on each failure is logged as an error.
 */
export async function processRefunds(context: SendContext): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    const leaseUntil = new Date(now.getTime() + REFUND_LEASE_MS)
    const claimed = await claimDueRefunds(context.db, { limit: AT_ONCE, leaseUntil, now })
    await Promise.all(
      claimed.map((refund) =>
        sendRefund(context, refund, { isReported: false }).catch((error: unknown) =>
          // Its lease ends, and then it is claimed again.
          context.log.error(
            { err: error, refundId: refund.id },
            'the result of a refund could not be recorded; it is looked up at the provider when its lease ends',
          ),
        ),
      ),
    )
    if (claimed.length < AT_ONCE) return
  }
}
