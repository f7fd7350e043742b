import type { z } from 'zod'
import { CredentialsChanged, type CredentialKey, type ReadNotifierCredentials } from '@storefront/contracts'
import { type Clock, type Log, createEncryption, type Encryption, type SecretsKeys, every } from '@storefront/service'
import { type Messaging, sendRequest, ignoreClosed, subscribeToSignal } from '@storefront/messaging'

/**
 * The purpose under which credentials are encrypted: identity encrypts them and their readers decrypt them, each under
 * its key's name.
 */
export const CREDENTIALS_PURPOSE = 'storefront credentials'

/** Signals may get lost: a change is known after this long at the latest. */
const REQUEST_MS = 60_000
/** Pause before the request to identity is repeated when it did not reply. */
const RETRY_MS = 1000
/** Credentials count as known this long after NATS is connected, whether identity replied or not. */
const GRACE_MS = 5000
/** The same without NATS. */
const TIMEOUT_MS = 30_000

/** The request of each reader. They have the same shape, and differ only in who may send them. */
type CredentialsRequest = typeof ReadNotifierCredentials
type CredentialsReply = z.output<CredentialsRequest['reply']>
type Encrypted = Pick<CredentialsReply['credentials'][number], 'key' | 'sealed'>

export interface Credentials {
  /** The value as the merchant entered it; undefined when there is none. */
  get(key: CredentialKey): string | undefined
  /**
   * The time of the last change: for a removed value, the time at which that was noticed. Undefined when there never
   * was one.
   */
  updatedAt(key: CredentialKey): Date | undefined
  /** The previous value, if identity still keeps it or this process knew it. */
  replaced(key: CredentialKey): string | undefined
  /**
   * Resolves with the first reply of identity, or 5 s after NATS is connected, or after 30 s without NATS: a service
   * that has a fallback for a credential waits for it first. Never rejects.
   */
  readonly known: Promise<void>
  stop(): Promise<void>
}

interface Known {
  value: string | undefined
  updatedAt: Date
  replaced: string | undefined
}

/**
 * Keeps the credentials of one service: requests them from identity as soon as NATS is connected, at every signal,
 * after every reconnection, and every minute. Known values stay in use while identity is away, and while their
 * successors are encrypted with a key that this service does not have. A service without SECRETS_KEY could decrypt none
 * and requests none.
 * @param options.request this service's own request
 */
export function openCredentials(options: {
  messaging: Messaging
  log: Log
  clock: Clock
  keys: SecretsKeys
  request: CredentialsRequest
}): Credentials {
  const { messaging, log, clock, keys, request } = options
  const known = new Map<CredentialKey, Known>()
  const credentials = {
    get: (key: CredentialKey) => known.get(key)?.value,
    updatedAt: (key: CredentialKey) => known.get(key)?.updatedAt,
    replaced: (key: CredentialKey) => known.get(key)?.replaced,
  }
  const encryption = createEncryption(keys, CREDENTIALS_PURPOSE)
  if (!encryption) return { ...credentials, known: Promise.resolve(), stop: () => Promise.resolve() }

  const decrypt = decrypterFor(encryption, log)
  const { promise: responded, resolve: endWaiting } = Promise.withResolvers<void>()
  let isAway = false
  let retry: NodeJS.Timeout | undefined

  const timer = every(REQUEST_MS, 'request credentials', log, async () => {
    try {
      learn(known, await sendRequest(messaging, request, {}), decrypt, clock)
      isAway = false
      endWaiting()
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'credentials cannot be requested; the known ones stay in use')
      isAway = true
      // One retry is enough, however many signals arrive during an outage.
      clearTimeout(retry)
      retry = setTimeout(() => timer.wake(), RETRY_MS).unref()
    }
  })

  void messaging.opened.then(() => {
    timer.wake()
    setTimeout(endWaiting, GRACE_MS).unref()
  }, ignoreClosed)
  messaging.onReconnect(() => timer.wake())
  subscribeToSignal(options, CredentialsChanged, () => timer.wake())
  setTimeout(endWaiting, TIMEOUT_MS).unref()

  return {
    ...credentials,
    known: responded,
    stop() {
      clearTimeout(retry)
      return timer.stop()
    },
  }
}

/** Brings the known credentials up to date with a reply of identity. */
function learn(known: Map<CredentialKey, Known>, reply: CredentialsReply, decrypt: Decrypt, clock: Clock): void {
  const current = new Map(reply.credentials.map((item) => [item.key, item]))
  const former = new Map(reply.replaced?.map((item) => [item.key, item]))
  for (const key of new Set([...known.keys(), ...current.keys(), ...former.keys()])) {
    const before = known.get(key)
    const item = current.get(key)
    const value = item && decrypt(item)
    // This service gets the new SECRETS_KEY at its next start: until then the last value that it could decrypt stays
    // in use.
    if (item && value === undefined && before?.value !== undefined) continue
    const replacedItem = former.get(key)
    if (!before && value === undefined && !replacedItem) continue
    const isSame = before !== undefined && before.value === value
    const replaced = replacedItem && decrypt(replacedItem, `${key} before`)
    const since = value === undefined ? replacedItem?.replacedAt : item?.updatedAt
    // A removed value is recognized only by its absence.
    const noticedAt = isSame ? before.updatedAt : clock.now()
    const updatedAt = since === undefined ? noticedAt : new Date(since)
    known.set(key, { value, updatedAt, replaced: replaced ?? (isSame ? before.replaced : before?.value) })
  }
}

type Decrypt = (item: Encrypted, name?: string) => string | undefined

/** Decrypts values; logs each one that cannot be decrypted once, by its name. */
function decrypterFor(encryption: Encryption, log: Log): Decrypt {
  const reported = new Map<string, string>()
  return ({ key, sealed: encrypted }, name = key) => {
    try {
      return encryption.decrypt(encrypted, key)
    } catch {
      if (reported.get(name) !== encrypted) {
        log.error({ credential: name }, 'a credential cannot be decrypted; its last known value stays in use')
      }
      reported.set(name, encrypted)
      return undefined
    }
  }
}
