import { EVENTS, type EventDefinition } from './events.ts'
import { REQUESTS, type RequestDefinition } from './requests.ts'
import { SERVICE_NAMES, type ServiceName } from './services.ts'
import { SIGNALS, type SignalDefinition } from './signals.ts'

/** A lower-case word. A database, its roles and the subjects of NATS are named after it. */
export const NAMESPACE_FORMAT = /^[a-z][a-z0-9_]{0,30}$/

/** All NATS names. `namespace` is the first token, so that a shop, its tests and its benchmark can share a server. */
export const eventsStream = (namespace: string) => `${namespace}_EVENTS`
export const deadLetterStream = (namespace: string) => `${namespace}_DEAD`
export const eventSubject = (namespace: string, event: Pick<EventDefinition, 'name' | 'from'>) =>
  `${namespace}.events.${event.from}.${event.name}`
export const deadLetterSubject = (namespace: string, service: ServiceName, eventName: string) =>
  `${namespace}.dead.${service}.${eventName}`
export const requestSubject = (namespace: string, request: Pick<RequestDefinition, 'name' | 'to'>) =>
  `${namespace}.rpc.${request.to}.${request.name}`
/** The subjects of a request that its service replies to, and that its senders may use. */
export const requestSubjects = (namespace: string, request: Pick<RequestDefinition, 'name' | 'formerName' | 'to'>) =>
  [request.name, request.formerName]
    .filter((name) => name !== undefined)
    .map((name) => requestSubject(namespace, { name, to: request.to }))
export const signalSubject = (namespace: string, signal: Pick<SignalDefinition, 'name' | 'from'>) =>
  `${namespace}.signals.${signal.from}.${signal.name}`
export const durableName = (service: ServiceName, event: Pick<EventDefinition, 'name'>) =>
  `${service}-${event.name.replaceAll('.', '-')}`
export const inboxPrefix = (service: ServiceName) => `_INBOX_${service}`

export interface NatsUser {
  name: ServiceName
  password: string
  permissions: {
    publish: { allow: string[] }
    subscribe: { allow: string[] }
    allow_responses: { max: number; expires: string }
  }
}

/** A request to this subject has another server lead the stream of events. */
export const eventsStepDown = (namespace: string) => `$JS.API.STREAM.LEADER.STEPDOWN.${eventsStream(namespace)}`

/**
 * One reply to each request, as long as the sender may wait for it. The server keeps a reply permission for every
 * message with a reply subject, including events, and searches all of them repeatedly: with its default of two minutes,
 * an event cost four times as much after a minute of a thousand events a second.
 */
const RESPONSES = { max: 1, expires: '10s' }

/**
 * The NATS user of each service with the least rights it needs: its own events, the requests it sends, the replies it
 * gives, and its own consumers. Streams and consumers are created by the migrate step, not by services.
 * @param passwords one for each service
 */
export function natsUsers(passwords: Record<ServiceName, string>): NatsUser[] {
  return SERVICE_NAMES.map((service) => {
    const durables = EVENTS.filter((event) => event.consumers.includes(service)).map((event) =>
      durableName(service, event),
    )
    return {
      name: service,
      password: passwords[service],
      permissions: {
        publish: {
          allow: [
            `*.events.${service}.>`,
            `*.dead.${service}.>`,
            ...REQUESTS.filter((request) => request.from.includes(service)).flatMap((request) =>
              requestSubjects('*', request),
            ),
            ...SIGNALS.filter((signal) => signal.from === service).map((signal) => signalSubject('*', signal)),
            ...durables.flatMap((durable) => [
              `$JS.API.CONSUMER.INFO.*.${durable}`,
              `$JS.API.CONSUMER.MSG.NEXT.*.${durable}`,
              `$JS.ACK.*.${durable}.>`,
              `$JS.ACK.*.*.*.${durable}.>`,
            ]),
          ],
        },
        subscribe: {
          allow: [
            `${inboxPrefix(service)}.>`,
            `*.rpc.${service}.>`,
            ...SIGNALS.filter((signal) => signal.consumers.includes(service)).map((signal) =>
              signalSubject('*', signal),
            ),
          ],
        },
        allow_responses: RESPONSES,
      },
    }
  })
}
