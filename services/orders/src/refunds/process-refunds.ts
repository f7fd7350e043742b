import { processJobs } from '@storefront/jobs'
import type { Timer } from '@storefront/service'
import { REFUND_LEASE_MS } from './refund.ts'
import { claimDueRefunds } from './refunds.queries.ts'
import { sendRefund, type SendContext } from './send-refund.ts'

const AT_ONCE = 10
const EVERY_MS = 1000

/**
 * Makes queued refunds, and continues those that a crash or an unavailable provider left behind. It never gives up:
 * the pauses grow to an hour, and from the tenth attempt on each failure is logged as an error.
 */
export function processRefunds(context: SendContext): Timer {
  const { db, clock, log } = context
  return processJobs({
    name: 'refunds',
    log,
    everyMs: EVERY_MS,
    atOnce: AT_ONCE,
    async claim(limit) {
      const now = clock.now()
      return claimDueRefunds(db, { limit, leaseUntil: new Date(now.getTime() + REFUND_LEASE_MS), now })
    },
    async run(refund) {
      await sendRefund(context, refund, { isReported: false })
    },
    about: ({ id }) => ({ refundId: id }),
  })
}
