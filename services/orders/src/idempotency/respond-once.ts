import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { digestOf, IdempotencyKey, type Browsers } from '@storefront/http'
import { underLease } from '@storefront/jobs'
import { isOutage } from '@storefront/postgres'
import { ADDED_KEY_HEADER, REPEATED_HEADER } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { stillProcessing, unusableIdempotencyKey } from '../errors.ts'
import { findStoredRequest, releaseKey, storeResponse, renewLease, claimKey } from './idempotency.queries.ts'
import { requestHashOf, requireSameRequest } from './request-hash.ts'
import { decryptResponse, encryptResponse, textOf } from './stored-response.ts'

/** For the schema of an idempotent route. The key itself is checked by `respondOnce`. */
export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe('The same key and the same request get the same response for a day.'),
})

/** How long a key gets the same response (docs/contract.md). */
export const KEY_MEMORY_DAYS = 1
/**
 * Renewed while the request is processed. When it ends unrenewed, the process has died and a retry may claim the key.
 */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 3000
const POLL_MS = 100
/** How long a second request waits for the response of the first. */
const TIMEOUT_MS = 8000

interface IdempotentOperation<Body> {
  request: FastifyRequest
  reply: FastifyReply
  /** The operation, the same for every route that offers it. */
  operation: string
  /** The target of the operation: it separates the keys of anonymous callers, who may all count from one. */
  subject?: string
  schema: z.ZodType<Body>
  /**
   * Whether the work itself happens only once, so that a repetition finds its result. Then no response is stored for a
   * key that the gateway added, which repeats only when the connection to the first replica was lost.
   */
  happensOnce?: boolean
}

/**
 * Processes a request, and with an `Idempotency-Key` header processes the same request of the same caller only once: a
 * repetition within a day gets the stored response, byte for byte. A failure is not stored, so that it can be retried.
 *
 * It stores a response and does not make the work safe: when a process dies after the work and before its response is
 * stored, the work is done again. `work` must be safe to repeat.
 * @param steps.work gets a secret that only callers with this key have: it identifies a caller who finds the work done
 * after its response was lost with the process
 * @param steps.renew grants the caller access again to what a stored response names, and returns a new access token for
 * it: called for every replay, and its token is sent where the first one could not be stored
 * @throws HttpError `idempotency_mismatch` for the same key with another request, `validation_failed` for an invalid
 * key
 */
export async function respondOnce<Body extends object>(
  {
    db,
    clock,
    log,
    responseEncryption,
    browsers,
  }: Pick<OrdersContext, 'db' | 'clock' | 'log' | 'responseEncryption' | 'browsers'>,
  { request, reply, operation, subject = '', schema, happensOnce = false }: IdempotentOperation<Body>,
  steps: {
    work(secretOfKey?: string): Promise<Body>
    renew?(body: Record<string, unknown>): Promise<string | undefined>
  },
): Promise<void> {
  const send = async (text: string) => void (await reply.type('application/json; charset=utf-8').send(text))
  const given = request.headers['idempotency-key']
  if (given === undefined) return send(textOf(schema.parse(await steps.work())))
  const key = IdempotencyKey.safeParse(given)
  if (!key.success) throw unusableIdempotencyKey()

  const id = digestOf([callerOf(browsers, request, subject), operation, key.data])
  const requestHash = requestHashOf(request)
  if (happensOnce && request.headers[ADDED_KEY_HEADER] !== undefined) {
    return send(textOf(schema.parse(await steps.work(secretOf(id, requestHash)))))
  }
  // The gateway retries a request when its replica disconnected: the lease of that replica no longer protects anything.
  let holderIsGone = request.headers[REPEATED_HEADER] !== undefined
  const deadlineMs = performance.now() + TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    const now = clock.now()
    const startedAt = await claimKey(db, { id, requestHash, now, leaseUntil: leaseFrom(now), holderIsGone })
    if (startedAt) {
      const secretOfKey = secretOf(id, requestHash)
      const lease = { id, startedAt, operation }
      const response = await workUnderLease({ db, clock, log }, lease, () => steps.work(secretOfKey))
      const parsed = schema.parse(response)
      // The work is done: a failure to store the key must not turn it into an error.
      await storeResponse(db, id, startedAt, encryptResponse(responseEncryption, id, parsed)).catch((error: unknown) =>
        log.error({ err: error, operation }, 'a response could not be stored for its idempotency key'),
      )
      return send(textOf(parsed))
    }
    holderIsGone = false
    const kept = await findStoredRequest(db, id)
    requireSameRequest(kept?.requestHash, requestHash)
    if (kept && kept.answer !== null) {
      const { body, accessToken } = decryptResponse(responseEncryption, id, kept.answer)
      const renewed = await steps.renew?.(body)
      void reply.header('idempotent-replayed', 'true')
      return send(textOf({ ...body, accessToken: accessToken ?? renewed }))
    }
    await pause(POLL_MS)
  }
  throw stillProcessing()
}

/** Renews the lease of the key while the work is done. When the work fails, the key is free again. */
function workUnderLease<Body>(
  { db, clock, log }: Pick<OrdersContext, 'db' | 'clock' | 'log'>,
  { id, startedAt, operation }: { id: Buffer; startedAt: Date; operation: string },
  work: () => Promise<Body>,
): Promise<Body> {
  const lease = {
    everyMs: RENEW_EVERY_MS,
    renew: () => renewLease(db, id, startedAt, leaseFrom(clock.now())),
    // Two more renewals fit into the lease. If all fail, the work may be done twice, which it must tolerate.
    failed: (error: unknown) => log.warn({ err: error, operation }, 'the lease of a request could not be renewed'),
  }
  return underLease(lease, () =>
    work().catch(async (error: unknown) => {
      const released = releaseKey(db, id, startedAt).catch((cause: unknown) => {
        log.warn({ err: cause, operation }, 'the key of a request was not released; its lease ends by itself')
      })
      // The caller of a lost database gets its 503 in time.
      if (!isOutage(error)) await released
      throw error
    }),
  )
}

/**
 * Derived from what a caller sends, which others may know: a token with a colon cannot be sent from outside as an
 * access token.
 */
function secretOf(id: Buffer, requestHash: Buffer): string {
  return `key:${digestOf([id.toString('hex'), requestHash.toString('hex')]).toString('base64url')}`
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}

/** The owner of the key: no caller gets the response of another. */
function callerOf(browsers: Browsers, request: FastifyRequest, subject: string): string {
  const { actor } = request
  if (actor.kind === 'customer') return `customer ${actor.customerId}`
  if (actor.kind === 'admin') return `admin ${actor.userId}`
  const browser = browsers.nameOf(request)
  return browser === undefined ? `anonymous ${subject}` : `browser ${browser}`
}
