import { signalSubject, type SignalDefinition } from '@storefront/contracts'
import type { Log } from '@storefront/service'
import { keepSubscribed } from './keep-subscribed.ts'
import type { Messaging } from './messaging.ts'
import { ignoreClosed } from './requests.ts'

/** Publishes a signal to every replica of the subscribed services. Without NATS it is lost: a signal is only a hint. */
export function sendSignal<Data>(messaging: Messaging, signal: SignalDefinition<Data>, data: Data): void {
  if (!messaging.isConnected()) return
  messaging.connection().publish(signalSubject(messaging.namespace, signal), JSON.stringify(data))
}

/** Calls `handler` for each signal of this kind, in every replica of the service. */
export function subscribeToSignal<Data>(
  context: { messaging: Messaging; log: Log },
  signal: SignalDefinition<Data>,
  handler: (data: Data) => void,
): void {
  const { messaging, log } = context
  void messaging.opened.then((connection) => {
    keepSubscribed(connection, signalSubject(messaging.namespace, signal), {
      onError: (error) => log.error({ err: error, signal: signal.name }, 'the subscription to a signal failed'),
      onMessage: (message) => {
        const parsed = signal.data.safeParse(message.json())
        if (parsed.success) handler(parsed.data)
        else log.error({ signal: signal.name, issues: parsed.error.issues }, 'a signal does not fit its definition')
      },
    })
  }, ignoreClosed)
}
