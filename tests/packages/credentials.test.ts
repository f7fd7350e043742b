import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { actorVerifier, createEncryption, systemClock } from '@storefront/service'
import { replyTo, openMessaging, sendSignal } from '@storefront/messaging'
import { CREDENTIALS_PURPOSE, openCredentials, type Credentials } from '@storefront/credentials'
import { createActorKeys, manualClock } from '@storefront/service/testing'
import { CredentialsChanged, ReadOrdersCredentials, type CredentialKey, type ServiceName } from '@storefront/contracts'
import { amount, createSuite, startOwnNats, waitFor, type OwnNats, type Suite } from '@storefront/tools/testing'

const SECRETS_KEY = 'a secret of this shop alone'
const CHANGED_AT = '2026-03-01T12:00:00.000Z'
/** In an outage; each waits for its request, a second after the one before. */
const SIGNALS = amount({ quick: 5, long: 10 })

let suite: Suite
let nats: OwnNats
let clock: ReturnType<typeof manualClock>
/** The credentials that identity holds: each key with its encrypted value. */
let held: Map<CredentialKey, string>
/** The previous values of the credentials. */
let replaced: { key: CredentialKey; sealed: string; replacedAt: string }[] | undefined
let broken: boolean
let close: (() => Promise<void>)[]

beforeEach(async () => {
  suite = await createSuite()
  nats = await startOwnNats()
  clock = manualClock('2026-03-02T12:00:00.000Z')
  held = new Map()
  replaced = undefined
  broken = false
  close = []
})
afterEach(async () => {
  for (const each of close.toReversed()) await each()
  await nats.remove()
  await suite.stop()
})

function connect(service: ServiceName) {
  const messaging = openMessaging({
    url: nats.urlFor(service),
    service,
    namespace: suite.namespace,
    log: suite.log,
  })
  close.push(() => messaging.close())
  return messaging
}

const encrypt = (key: CredentialKey, value: string, secretsKey = SECRETS_KEY) =>
  createEncryption({ SECRETS_KEY: secretsKey }, CREDENTIALS_PURPOSE)?.encrypt(value, key) ?? ''

/** Identity, as far as other services depend on it. */
async function identity() {
  const messaging = connect('identity')
  const verifyActor = actorVerifier(createActorKeys().publicKey, systemClock)
  const requests = { times: 0 }
  replyTo({ messaging, verifyActor, log: suite.log }, ReadOrdersCredentials, async () => {
    requests.times++
    if (broken) throw new Error('identity has lost its database')
    const credentials = [...held].map(([key, encrypted]) => ({ key, sealed: encrypted, updatedAt: CHANGED_AT }))
    return { credentials, ...(replaced && { replaced }) }
  })
  await (await messaging.opened).flush()
  return { requests, signal: () => sendSignal(messaging, CredentialsChanged, {}) }
}

function reader(keys: { SECRETS_KEY?: string; SECRETS_KEY_PREVIOUS?: string } = { SECRETS_KEY }): Credentials {
  const messaging = connect('orders')
  const credentials = openCredentials({ messaging, log: suite.log, clock, keys, request: ReadOrdersCredentials })
  close.push(() => credentials.stop())
  return credentials
}

describe('the credentials of a service', () => {
  test('are loaded at the start, and loaded again after a signal', async () => {
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_1'))
    const { signal } = await identity()
    const credentials = reader()
    await credentials.known
    expect(credentials.get('stripeSecretKey')).toBe('sk_1')
    expect(credentials.updatedAt('stripeSecretKey')).toEqual(new Date(CHANGED_AT))
    expect(credentials.replaced('stripeSecretKey')).toBeUndefined()
    expect(credentials.get('razorpayKeySecret')).toBeUndefined()
    expect(credentials.updatedAt('razorpayKeySecret')).toBeUndefined()

    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_2'))
    signal()
    await waitFor('the new value', () => credentials.get('stripeSecretKey') === 'sk_2')
    expect(credentials.replaced('stripeSecretKey')).toBe('sk_1')

    held.clear()
    signal()
    await waitFor('the credential to be removed', () => credentials.get('stripeSecretKey') === undefined)
    expect(credentials.updatedAt('stripeSecretKey')).toEqual(clock.now())
    expect(credentials.replaced('stripeSecretKey')).toBe('sk_2')
  })

  test('are loaded when identity starts later, and are kept while it cannot reply', async () => {
    const credentials = reader()
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_1'))
    const { requests, signal } = await identity()
    await credentials.known
    expect(credentials.get('stripeSecretKey')).toBe('sk_1')

    held.clear()
    broken = true
    const before = requests.times
    signal()
    await waitFor('a request after one that failed', () => requests.times >= before + 2)
    expect(credentials.get('stripeSecretKey')).toBe('sk_1')
    broken = false
    await waitFor('the end of the outage', () => credentials.get('stripeSecretKey') === undefined)
  })

  test('are kept while new values are encrypted with an unknown key, and change when one is decrypted', async () => {
    const NEXT = 'the next secret of this shop'
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_1'))
    held.set('smtpPassword', encrypt('smtpPassword', 'unchanged'))
    replaced = [{ key: 'stripeSecretKey', sealed: encrypt('stripeSecretKey', 'sk_0'), replacedAt: CHANGED_AT }]
    const { requests, signal } = await identity()
    const errors = vi.spyOn(suite.log, 'error')
    const credentials = reader()
    await credentials.known
    const request = async () => {
      const before = requests.times
      signal()
      await waitFor('a request', () => requests.times > before)
      // The next request proves that the reply to the first was processed.
      signal()
      await waitFor('another request', () => requests.times > before + 1)
    }
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_1', NEXT))
    replaced = [{ key: 'stripeSecretKey', sealed: encrypt('stripeSecretKey', 'sk_0', NEXT), replacedAt: CHANGED_AT }]
    for (let times = 0; times < 3; times++) await request()
    expect(credentials.get('stripeSecretKey')).toBe('sk_1')
    expect(credentials.replaced('stripeSecretKey')).toBe('sk_0')
    expect(credentials.updatedAt('stripeSecretKey')).toEqual(new Date(CHANGED_AT))
    expect(errors.mock.calls.map(([about]) => about)).toEqual([{ credential: 'stripeSecretKey' }])
    errors.mockRestore()

    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_2'))
    replaced = [{ key: 'stripeSecretKey', sealed: encrypt('stripeSecretKey', 'sk_1'), replacedAt: CHANGED_AT }]
    signal()
    await waitFor('the new value', () => credentials.get('stripeSecretKey') === 'sk_2')
    expect(credentials.replaced('stripeSecretKey')).toBe('sk_1')
    held.delete('stripeSecretKey')
    signal()
    await waitFor('the credential to be removed', () => credentials.get('stripeSecretKey') === undefined)
    expect(credentials.get('smtpPassword')).toBe('unchanged')
  })

  test('include the values that were replaced before the process started', async () => {
    const replacedAt = '2026-03-02T11:00:00.000Z'
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_2'))
    replaced = [
      { key: 'stripeSecretKey', sealed: encrypt('stripeSecretKey', 'sk_1'), replacedAt: CHANGED_AT },
      { key: 'smtpPassword', sealed: encrypt('smtpPassword', 'taken back'), replacedAt },
    ]
    await identity()
    const credentials = reader()
    await credentials.known
    expect(credentials.get('stripeSecretKey')).toBe('sk_2')
    expect(credentials.replaced('stripeSecretKey')).toBe('sk_1')
    expect(credentials.get('smtpPassword')).toBeUndefined()
    expect(credentials.replaced('smtpPassword')).toBe('taken back')
    expect(credentials.updatedAt('smtpPassword')).toEqual(new Date(replacedAt))
  })

  test('are requested once a second in an outage, whatever the number of signals', async () => {
    const { requests, signal } = await identity()
    await reader().known
    broken = true
    for (let signals = 0; signals < SIGNALS; signals++) {
      const before = requests.times
      signal()
      await waitFor('a request', () => requests.times > before)
    }
    const [from, before] = [performance.now(), requests.times]
    await waitFor('four more requests', () => requests.times >= before + 4)
    // A busy machine takes longer, never less.
    expect(performance.now() - from).toBeGreaterThan(2500)
  })

  test('are requested again after NATS was down', async () => {
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_1'))
    const { requests } = await identity()
    const credentials = reader()
    await credentials.known
    const before = requests.times
    await nats.stop()
    // The signal about this change is lost, because NATS is down.
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sk_2'))
    expect(credentials.get('stripeSecretKey')).toBe('sk_1')
    await nats.start()
    await waitFor('the new value', () => credentials.get('stripeSecretKey') === 'sk_2')
    expect(requests.times).toBeGreaterThan(before)
  })

  test('count as known five seconds after NATS is connected, even without a reply', async () => {
    const credentials = reader()
    await credentials.known
    expect(credentials.get('stripeSecretKey')).toBeUndefined()
  })

  test('are decrypted with the previous SECRETS_KEY too, and with no other key, name or purpose', async () => {
    held.set('stripeSecretKey', encrypt('stripeSecretKey', 'sealed before', 'the secret of this shop before'))
    held.set('razorpayKeySecret', encrypt('stripeSecretKey', 'swapped'))
    held.set('stripeWebhookSecret', encrypt('stripeWebhookSecret', 'foreign', 'the secret of another shop'))
    const elsewhere = createEncryption({ SECRETS_KEY }, 'storefront identity mail links')
    held.set('razorpayWebhookSecret', elsewhere?.encrypt('of another kind', 'razorpayWebhookSecret') ?? '')
    await identity()
    const credentials = reader({ SECRETS_KEY, SECRETS_KEY_PREVIOUS: 'the secret of this shop before' })
    await credentials.known
    expect(credentials.get('stripeSecretKey')).toBe('sealed before')
    for (const key of ['razorpayKeySecret', 'stripeWebhookSecret', 'razorpayWebhookSecret'] as const) {
      expect(credentials.get(key)).toBeUndefined()
    }
  })

  test('are empty without SECRETS_KEY, and identity gets no request', async () => {
    const { requests } = await identity()
    await reader({}).known
    expect(requests.times).toBe(0)
  })
})
