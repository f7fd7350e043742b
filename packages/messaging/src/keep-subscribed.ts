import { PermissionViolationError, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { Stoppable } from '@storefront/service'

/** A new version starts before NATS reloads the permissions that it needs (docs/operations.md). */
const SUBSCRIBE_AGAIN_MS = 10_000

/**
 * Subscribes to a subject. The client gives up a subscription that NATS rejects: this one is made again after a pause.
 * @param options.onError gets each error, also that of a rejection
 * @returns `stop` ends the subscription when all messages that the server has sent have been handed over
 */
export function keepSubscribed(
  connection: NatsConnection,
  subject: string,
  options: { queue?: string; onMessage: (message: Msg) => void; onError: (error: Error) => void },
): Stoppable {
  const { onMessage, onError, ...rest } = options
  let timer: NodeJS.Timeout | undefined
  let current = subscribe()

  function subscribe(): Subscription {
    return connection.subscribe(subject, {
      ...rest,
      callback: (error, message) => {
        if (error) handleError(error)
        else onMessage(message)
      },
    })
  }

  function handleError(error: Error): void {
    onError(error)
    if (error instanceof PermissionViolationError) timer = setTimeout(subscribeAgain, SUBSCRIBE_AGAIN_MS).unref()
  }

  function subscribeAgain(): void {
    if (!connection.isClosed() && !connection.isDraining()) current = subscribe()
  }

  return {
    async stop() {
      clearTimeout(timer)
      if (!current.isClosed()) await current.drain()
    },
  }
}
