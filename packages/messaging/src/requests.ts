import { headers, type Msg } from '@nats-io/transport-node'
import { z } from 'zod'
import {
  ACTOR_HEADER,
  ANONYMOUS,
  isErrorCode,
  REQUEST_ID_HEADER,
  REQUEST_TIMEOUT_MS,
  requestSubject,
  requestSubjects,
  type Actor,
  type RequestDefinition,
} from '@storefront/contracts'
import {
  type ActorVerifier,
  type Log,
  DependencyUnavailable,
  HttpError,
  currentRequestId,
  withRequestId,
  activeSpan,
  failSpan,
} from '@storefront/service'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import { keepSubscribed } from './keep-subscribed.ts'
import type { Messaging } from './messaging.ts'
import { countServiceRequest, type ServiceRequestOutcome } from './service-request-metrics.ts'
import { retryBudget } from './retry-budget.ts'
import { tracedReply, tracedRequest } from './trace-messages.ts'

const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), answer: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string(), detail: z.unknown().optional() }),
])

/** How long the sender still waits, in milliseconds. Not a time, because clocks of two machines differ. */
const TIMEOUT_HEADER = 'x-timeout-ms'

interface RequestOptions {
  actorToken?: string | undefined
  timeoutMs?: number
}

/**
 * Sends a request to another service over NATS.
 * @param options.actorToken the signed actor of the HTTP request behind it, where it matters
 * @param options.timeoutMs in place of the default of 2 s
 * @throws HttpError with the error code of the other service
 * @throws DependencyUnavailable when no reply arrives in time
 */
export async function sendRequest<RequestBody, ReplyBody>(
  messaging: Messaging,
  definition: RequestDefinition<RequestBody, ReplyBody>,
  body: RequestBody,
  options: RequestOptions = {},
): Promise<ReplyBody> {
  const startedMs = performance.now()
  let outcome: ServiceRequestOutcome = 'replied'
  try {
    return await requestUncounted(messaging, definition, body, options)
  } catch (error) {
    outcome = outcomeOf(error)
    throw error
  } finally {
    countServiceRequest(definition.name, 'sent', outcome, startedMs)
  }
}

function outcomeOf(error: unknown): ServiceRequestOutcome {
  if (error instanceof DependencyUnavailable || isOutage(error) || isDatabaseTimeout(error)) return 'unavailable'
  return error instanceof HttpError ? 'rejected' : 'failed'
}

async function requestUncounted<RequestBody, ReplyBody>(
  messaging: Messaging,
  definition: RequestDefinition<RequestBody, ReplyBody>,
  body: RequestBody,
  options: RequestOptions,
): Promise<ReplyBody> {
  const connection = messaging.connection()
  const head = headers()
  const requestId = currentRequestId()
  if (requestId !== undefined) head.set(REQUEST_ID_HEADER, requestId)
  if (options.actorToken !== undefined) head.set(ACTOR_HEADER, options.actorToken)
  let message: Msg
  try {
    const proportion = messaging.requestTimeoutMs / REQUEST_TIMEOUT_MS
    const timeoutMs = (options.timeoutMs ?? REQUEST_TIMEOUT_MS) * proportion
    const subject = requestSubject(messaging.namespace, definition)
    const text = JSON.stringify(body)
    message = await tracedRequest(definition.name, head, () =>
      hedge(timeoutMs, (timeout) => {
        head.set(TIMEOUT_HEADER, String(timeout))
        return connection.request(subject, text, { timeout, headers: head })
      }),
    )
  } catch (error) {
    throw new DependencyUnavailable(`${definition.to} (${definition.name})`, error)
  }
  const reply = Reply.parse(message.json())
  if (reply.ok) return definition.reply.parse(reply.answer)
  if (reply.code === 'service_unavailable') throw new DependencyUnavailable(`${definition.to} (${definition.name})`)
  if (!isErrorCode(reply.code)) throw new Error(`${definition.name} was rejected with an unknown code: ${reply.code}`)
  throw new HttpError(reply.code, reply.message, { detail: reply.detail })
}

const repeats = retryBudget()

/**
 * Sends the request, and sends it once more when half of the time has passed: the replica that had it may have died
 * without notice. Every request is idempotent, because callers also repeat it after a failure
 * (packages/contracts/src/requests.ts).
 */
async function hedge<ReplyBody>(
  timeoutMs: number,
  send: (timeoutMs: number) => Promise<ReplyBody>,
): Promise<ReplyBody> {
  repeats.countRequest()
  const first = send(timeoutMs)
  let timer: NodeJS.Timeout | undefined
  const second = new Promise<ReplyBody>((resolve, reject) => {
    timer = setTimeout(() => {
      if (repeats.take()) send(timeoutMs / 2).then(resolve, () => {})
    }, timeoutMs / 2)
    first.catch(reject)
  })
  try {
    return await Promise.race([first, second])
  } finally {
    clearTimeout(timer)
    second.catch(() => {})
  }
}

/**
 * Requests of one kind beyond this number in progress in one process are rejected at once: they would only time out in
 * a queue.
 */
const MAX_IN_FLIGHT = 2000

interface Requester {
  actor: Actor
  /** When the requester stops waiting for the reply, as of `performance.now()`. */
  deadlineMs: number
}

/**
 * Replies to one kind of request, in a queue group with all replicas of this service. Subscribes as soon as NATS is
 * connected.
 */
export function replyTo<RequestBody, ReplyBody>(
  context: { messaging: Messaging; verifyActor: ActorVerifier; log: Log },
  definition: RequestDefinition<RequestBody, ReplyBody>,
  handler: (body: RequestBody, requester: Requester) => Promise<ReplyBody>,
): void {
  const { messaging, verifyActor, log } = context
  const underWay = new Set<Promise<void>>()

  async function respond(message: Msg): Promise<void> {
    if (underWay.size >= MAX_IN_FLIGHT) {
      countServiceRequest(definition.name, 'served', 'unavailable', performance.now())
      message.respond(JSON.stringify({ ok: false, code: 'service_unavailable', message: 'too many requests' }))
      return
    }
    const startedMs = performance.now()
    let outcome: ServiceRequestOutcome = 'replied'
    try {
      const actor = verifyActor(message.headers?.get(ACTOR_HEADER)) ?? ANONYMOUS
      const body = definition.request.parse(message.json())
      const deadlineMs = startedMs + timeoutOf(message)
      message.respond(JSON.stringify({ ok: true, answer: await handler(body, { actor, deadlineMs }) }))
    } catch (error) {
      failSpan(activeSpan(), error)
      outcome = outcomeOf(error)
      message.respond(JSON.stringify(errorReplyOf(error, definition.name, log)))
    } finally {
      countServiceRequest(definition.name, 'served', outcome, startedMs)
    }
  }

  function accept(message: Msg): void {
    const requestId = message.headers?.get(REQUEST_ID_HEADER)
    const reply = tracedReply(definition.name, message, () =>
      withRequestId(requestId === '' ? undefined : requestId, () => respond(message)),
    )
    underWay.add(reply)
    void reply.finally(() => underWay.delete(reply))
  }

  void messaging.opened.then((connection) => {
    const subscriptions = requestSubjects(messaging.namespace, definition).map((subject) =>
      keepSubscribed(connection, subject, {
        queue: messaging.service,
        onError: (error) => log.error({ err: error, request: definition.name }, 'the subscription to a request failed'),
        onMessage: accept,
      }),
    )
    messaging.onStopReplying(async () => {
      // The server sends nothing more after this, and everything it has sent has arrived when the drain ends.
      if (messaging.isConnected()) await Promise.all(subscriptions.map((each) => each.stop()))
      await Promise.allSettled(underWay)
    })
  }, ignoreClosed)
}

/** The previous version does not send the header. */
function timeoutOf(message: Msg): number {
  const sent = Number(message.headers?.get(TIMEOUT_HEADER))
  return sent > 0 ? sent : REQUEST_TIMEOUT_MS
}

/** An unexpected error is logged, and the requester gets nothing of its text. */
function errorReplyOf(error: unknown, request: string, log: Log) {
  if (error instanceof HttpError) return { ok: false, code: error.code, message: error.message, detail: error.detail }
  log.error({ err: error, request }, 'a request from another service failed')
  if (isOutage(error) || isDatabaseTimeout(error))
    return { ok: false, code: 'service_unavailable', message: 'a dependency is unavailable' }
  return { ok: false, code: 'internal_error', message: 'Something went wrong on our side. Please try again.' }
}

/** `opened` rejects only when the service stops before NATS was ever connected. */
export function ignoreClosed(): void {}
