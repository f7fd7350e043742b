import { sendRequest } from '@storefront/messaging'
import { every, type Timer, MINUTE_MS, HOUR_MS } from '@storefront/service'
import { isOutage } from '@storefront/postgres'
import { ReadPrices } from '@storefront/contracts'
import type { OrdersContext } from '../../context.ts'
import { DEMO } from './demo-event.ts'

/** A warning in every line of a log goes unread. */
const REPEAT_MS = HOUR_MS

/**
 * Warns of a production shop whose checkout is paid by the demo provider: its buyers get the goods for free. At every
 * start, soon after the mode was changed, and every hour while it lasts.
 */
export function warnOfDemoPayments(
  context: Pick<OrdersContext, 'messaging' | 'log' | 'clock' | 'isProduction'>,
): Timer[] {
  const { messaging, log, clock, isProduction } = context
  if (!isProduction) return []
  let loggedMs = -Infinity
  const timer = every(MINUTE_MS, 'warn of demo payments', log, async () => {
    try {
      const { settings } = await sendRequest(messaging, ReadPrices, { variantIds: [] })
      const { checkoutMode: mode, checkoutProvider: provider } = settings
      const isDemo = mode === 'demo' || (mode === 'redirect' && provider === DEMO)
      if (!isDemo) loggedMs = -Infinity
      if (!isDemo || clock.now().getTime() - loggedMs < REPEAT_MS) return
      loggedMs = clock.now().getTime()
      log.warn(
        { mode },
        'THIS SHOP GIVES ITS GOODS AWAY: in production, the demo provider marks orders as paid without charging anyone. ' +
          'Set checkout.mode and checkout.provider to a real payment provider',
      )
    } catch (error) {
      if (!isOutage(error)) throw error
    }
  })
  void messaging.opened.then(
    () => timer.wake(),
    () => {},
  )
  return [timer]
}
