import type { Clock } from '@storefront/service'
import type { ClientBase } from 'pg'
import { warn, ok, type Finding } from './finding.ts'
import * as queries from './postgres.queries.ts'
import { hostOf } from './read-url.ts'

/** An endpoint that has failed for so long is reported, even if webhooks arrived there since the shop was started. */
const LONG_MS = 10 * 60_000

const LOOK = 'GET /admin/webhooks/deliveries shows each attempt.'

/**
 * Endpoints at which webhooks do not arrive.
 * @param startedAt when the shop was started; undefined where it is unknown
 */
export async function checkWebhooks(client: ClientBase, startedAt: Date | undefined, clock: Clock): Promise<Finding[]> {
  const endpoints = await queries.failingEndpoints(client, startedAt ?? new Date(0))
  const findings = endpoints.flatMap((endpoint) => describe(endpoint, startedAt, clock.now()) ?? [])
  return findings.length > 0 ? findings : [ok('webhooks', 'no endpoint fails')]
}

function describe(
  { id, url, disabledReason, failingSince, failures, hasWorked }: queries.FailingEndpoint,
  startedAt: Date | undefined,
  now: Date,
): Finding | undefined {
  const check = `webhooks to ${hostOf(url)} (${id})`
  if (disabledReason !== null) {
    return warn(check, `are disabled (${disabledReason})`, `Fix the receiver, then enable ${id}. ${LOOK}`)
  }
  if (failingSince === null) return undefined
  const variable = id === 'whe_storefront' ? ' in STOREFRONT_WEBHOOK_URL, or STOREFRONT_URL if that is not set' : ''
  const advice = `Start the receiver, or correct its address${variable}. ${LOOK}`
  if (!hasWorked) {
    const since =
      startedAt === undefined
        ? 'nothing has ever arrived'
        : `nothing has arrived since the shop was started at ${startedAt.toISOString()}`
    return warn(check, `${since}, ${failures} attempts failed`, advice)
  }
  if (now.getTime() - failingSince.getTime() < LONG_MS) return undefined
  return warn(check, `have failed since ${failingSince.toISOString()}`, advice)
}
