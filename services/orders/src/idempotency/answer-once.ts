import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Browsers } from '@storefront/chassis'
import { REPEATED_HEADER } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { idempotencyMismatch, stillUnderWay, unusableIdempotencyKey } from '../errors.ts'
import { findKept, giveKeyBack, keepAnswer, renewLease, takeKey } from './idempotency.queries.ts'
import { openKept, textOf, toKeep } from './kept-answer.ts'

/** For the schema of a route that answers the same key once. The key itself is checked by `answerOnce`. */
export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z.string().optional().describe('The same key and the same request get the same reply for a day.'),
})

/** How long a key gets the same answer (decisions, section 5). */
export const KEY_MEMORY_DAYS = 1
const KEY = /^[\x21-\x7e]{1,255}$/
/** Renewed while the request is at work. After it its process has died, and a retry may take over. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 3000
const POLL_MS = 100
/** How long a second request waits for the answer of the first. */
const PATIENCE_MS = 8000

export interface Once<Answer> {
  request: FastifyRequest
  reply: FastifyReply
  /** What is done, the same for every address at which it is done. */
  operation: string
  /** What it is done to: the keys of callers who have no name, and may all count from one, are kept apart by it. */
  subject?: string
  schema: z.ZodType<Answer>
}

/**
 * Answers a request, and with an `Idempotency-Key` header the same request of the same caller only once: whoever asks again
 * within a day gets the answer of the first time, byte by byte. A failure is not kept, so that it can be tried again.
 *
 * It saves an answer and does not make the work safe: a process that dies after the work and before its answer is kept leaves
 * the next one to do it again. Whatever `work` does must bear that.
 * @param steps.work is given a secret that whoever asks again with this key has as well, and nobody else: by it the next one is
 * known who finds the work done, and its answer lost with the process
 * @param steps.renew lets the caller see again what a kept answer names, and returns a new access token for it: called for
 * every replay, and its token is sent where the first one could not be kept
 * @throws Refusal `idempotency_mismatch` for the same key with another request, `validation_failed` for one that is none
 */
export async function answerOnce<Answer extends object>(
  { db, clock, log, answerSeal, browsers }: Pick<OrdersContext, 'db' | 'clock' | 'log' | 'answerSeal' | 'browsers'>,
  { request, reply, operation, subject = '', schema }: Once<Answer>,
  steps: {
    work(secretOfKey?: string): Promise<Answer>
    renew?(body: Record<string, unknown>): Promise<string | undefined>
  },
): Promise<void> {
  const send = async (text: string) => void (await reply.type('application/json; charset=utf-8').send(text))
  const key = request.headers['idempotency-key']
  if (key === undefined) return send(textOf(schema.parse(await steps.work())))
  if (typeof key !== 'string' || !KEY.test(key)) throw unusableIdempotencyKey()

  const id = digest([callerOf(browsers, request, subject), operation, key])
  const requestHash = digest([request.url.split('?')[0] ?? '', canonical(request.body ?? null)])
  // The gateway sends a request again when the copy that had it broke off: its lease protects nobody any more.
  let holderIsGone = request.headers[REPEATED_HEADER] !== undefined
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    const now = clock.now()
    const startedAt = await takeKey(db, { id, requestHash, now, leaseUntil: leaseFrom(now), holderIsGone })
    if (startedAt) {
      const renewing = setInterval(() => {
        // One that fails leaves two more; and what is done twice because all did can bear it.
        renewLease(db, id, startedAt, leaseFrom(clock.now())).catch((error: unknown) =>
          log.warn({ err: error, operation }, 'the lease of a request could not be renewed'),
        )
      }, RENEW_EVERY_MS)
      const secretOfKey = secretOf(id, requestHash)
      const answer = await steps
        .work(secretOfKey)
        .catch(async (error: unknown) => {
          await giveKeyBack(db, id, startedAt)
          throw error
        })
        .finally(() => clearInterval(renewing))
      const parsed = schema.parse(answer)
      // What was done is done: a key that cannot be kept is no reason to say that it failed.
      await keepAnswer(db, id, startedAt, toKeep(answerSeal, id, parsed)).catch((error: unknown) =>
        log.error({ err: error, operation }, 'an answer could not be kept'),
      )
      return send(textOf(parsed))
    }
    holderIsGone = false
    const kept = await findKept(db, id)
    if (kept && !kept.requestHash.equals(requestHash)) throw idempotencyMismatch()
    if (kept && kept.answer !== null) {
      const { body, accessToken } = openKept(answerSeal, id, kept.answer)
      const renewed = await steps.renew?.(body)
      void reply.header('idempotent-replayed', 'true')
      return send(textOf({ ...body, accessToken: accessToken ?? renewed }))
    }
    await pause(POLL_MS)
  }
  throw stillUnderWay()
}

/**
 * It follows from what a caller sends, and others may know all of that: with a colon in it nobody can bring it from outside in
 * the place of an access token.
 */
function secretOf(id: Buffer, requestHash: Buffer): string {
  return `key:${digest([id.toString('hex'), requestHash.toString('hex')]).toString('base64url')}`
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}

/** Whose key it is: nobody gets the answer of somebody else's. */
function callerOf(browsers: Browsers, request: FastifyRequest, subject: string): string {
  const { actor } = request
  if (actor.kind === 'customer') return `customer ${actor.customerId}`
  if (actor.kind === 'admin') return `admin ${actor.userId}`
  const browser = browsers.nameOf(request)
  return browser === undefined ? `anonymous ${subject}` : `browser ${browser}`
}

function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** The same text for the same body, in whatever order its fields came. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )
}
