import { describe, expect, test } from 'vitest'
import { EVENTS } from './events.ts'
import { REQUESTS } from './requests.ts'
import { SERVICE_NAMES, type ServiceName } from './services.ts'
import { SIGNALS } from './signals.ts'
import {
  deadLetterSubject,
  durableName,
  eventsStream,
  eventSubject,
  inboxPrefix,
  natsUsers,
  requestSubject,
  requestSubjects,
  signalSubject,
  type NatsUser,
} from './subjects.ts'

const users = natsUsers({ gateway: 'g', catalog: 'c', cart: 'k', orders: 'o', identity: 'i', notifier: 'n' })

function userOf(service: ServiceName): NatsUser {
  const user = users.find(({ name }) => name === service)
  if (!user) throw new Error(`no user ${service}`)
  return user
}

/** Matches a subject as NATS does: `*` is one token, and `>` is all that follow. */
function covers(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.')
  const given = subject.split('.')
  const rest = wanted.indexOf('>')
  if (rest === -1 ? wanted.length !== given.length : given.length <= rest) return false
  return wanted
    .slice(0, rest === -1 ? undefined : rest)
    .every((token, index) => token === '*' || token === given[index])
}

const mayPublish = (service: ServiceName, subject: string) =>
  userOf(service).permissions.publish.allow.some((pattern) => covers(pattern, subject))
const maySubscribe = (service: ServiceName, subject: string) =>
  userOf(service).permissions.subscribe.allow.some((pattern) => covers(pattern, subject))
const servicesThat = (may: (service: ServiceName) => boolean) => SERVICE_NAMES.filter((service) => may(service))

describe('names', () => {
  test('of events, requests and signals are unique, and fit into a subject', () => {
    const names = [...EVENTS, ...REQUESTS, ...SIGNALS].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+$/)
  })

  test('of durable consumers are unique', () => {
    const durables = EVENTS.flatMap((event) => event.consumers.map((service) => durableName(service, event)))
    expect(new Set(durables).size).toBe(durables.length)
    for (const durable of durables) expect(durable).not.toMatch(/[.*>\s]/)
  })

  test('of two namespaces never collide', () => {
    expect(eventsStream('shop')).not.toBe(eventsStream('test'))
    for (const event of EVENTS) expect(eventSubject('shop', event)).not.toBe(eventSubject('test', event))
  })
})

describe('an event', () => {
  test.each(EVENTS.map((event) => [event.name, event] as const))(
    '%s can be published only by its owner',
    (_n, event) => {
      expect(servicesThat((service) => mayPublish(service, eventSubject('shop', event)))).toEqual([event.from])
    },
  )

  test.each(EVENTS.map((event) => [event.name, event] as const))(
    '%s is fetched only by its consumers',
    (_name, event) => {
      for (const consumer of event.consumers) {
        const fetch = `$JS.API.CONSUMER.MSG.NEXT.${eventsStream('shop')}.${durableName(consumer, event)}`
        const acknowledge = `$JS.ACK.${eventsStream('shop')}.${durableName(consumer, event)}.1.2.3.4.5`
        expect(servicesThat((service) => mayPublish(service, fetch))).toEqual([consumer])
        expect(servicesThat((service) => mayPublish(service, acknowledge))).toEqual([consumer])
      }
    },
  )
})

describe('a request', () => {
  test.each(REQUESTS.map((request) => [request.name, request] as const))(
    '%s is sent by the services that the contract names and received by the one it is for',
    (_name, request) => {
      const subjects = requestSubjects('shop', request)
      expect(subjects[0]).toBe(requestSubject('shop', request))
      for (const subject of subjects) {
        expect(servicesThat((service) => mayPublish(service, subject)).toSorted()).toEqual([...request.from].toSorted())
        expect(servicesThat((service) => maySubscribe(service, subject))).toEqual([request.to])
      }
      expect(request.from).not.toContain(request.to)
    },
  )
})

describe('a signal', () => {
  test.each(SIGNALS.map((signal) => [signal.name, signal] as const))('%s comes only from its owner', (_n, signal) => {
    const subject = signalSubject('shop', signal)
    expect(servicesThat((service) => mayPublish(service, subject))).toEqual([signal.from])
    expect(servicesThat((service) => maySubscribe(service, subject)).toSorted()).toEqual(
      [...signal.consumers].toSorted(),
    )
  })
})

describe('the NATS user of a service', () => {
  test.each(SERVICE_NAMES)('%s reads its own replies and writes its own dead letters', (service) => {
    expect(servicesThat((other) => maySubscribe(other, `${inboxPrefix(service)}.abc.1`))).toEqual([service])
    const deadLetter = deadLetterSubject('shop', service, 'order.placed')
    expect(servicesThat((other) => mayPublish(other, deadLetter))).toEqual([service])
  })

  test.each(SERVICE_NAMES)(
    '%s can neither create nor delete streams and consumers, nor subscribe to everything',
    (service) => {
      for (const operation of ['STREAM.CREATE', 'STREAM.DELETE', 'STREAM.PURGE', 'STREAM.MSG.GET']) {
        expect(mayPublish(service, `$JS.API.${operation}.${eventsStream('shop')}`)).toBe(false)
      }
      expect(mayPublish(service, `$JS.API.CONSUMER.DELETE.${eventsStream('shop')}.cart-order-placed`)).toBe(false)
      for (const event of EVENTS) expect(maySubscribe(service, eventSubject('shop', event))).toBe(false)
      expect(userOf(service).permissions.publish.allow).not.toContain('>')
      expect(userOf(service).permissions.subscribe.allow).not.toContain('>')
    },
  )

  test('keeps permissions to reply only for a moment, because the server searches all of them', () => {
    for (const { permissions } of users) {
      expect(permissions.allow_responses.max).toBe(1)
      expect(Number(/^(\d+)s$/.exec(permissions.allow_responses.expires)?.[1])).toBeLessThanOrEqual(30)
    }
  })

  test('has its configured password', () => {
    expect(users.map(({ name, password }) => `${name} ${password}`)).toEqual([
      'gateway g',
      'catalog c',
      'cart k',
      'orders o',
      'identity i',
      'notifier n',
    ])
  })
})
