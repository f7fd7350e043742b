import { z } from 'zod'
import { OpaqueId, Timestamp, WebhookType } from '@storefront/contracts'
import type { StoredEndpoint } from './endpoints.queries.ts'

/** Every event adds a row for each of them. */
export const MAX_ENDPOINTS = 50
/** The endpoint from the configuration has a fixed id, so that its log survives a new address. */
export const STOREFRONT_ENDPOINT_ID = 'whe_storefront'

/** An endpoint in a path. */
export const EndpointParams = z.object({
  id: OpaqueId.describe(
    `Id of an endpoint; \`${STOREFRONT_ENDPOINT_ID}\` is the one from the configuration of the shop.`,
  ),
})

/** The types of event that it gets; null is every type, including future ones. */
const EndpointTypes = z.array(WebhookType).min(1).max(100).nullable()

/** An endpoint as a merchant sends it. The address is checked by `requireGoodUrl`. */
export const EndpointInput = z.object({
  url: z
    .string()
    .min(1)
    .max(2000)
    .describe('http or https, without a user name, a password or a fragment; usually no private address.'),
  types: EndpointTypes.optional().describe('Types of event that it gets; null is every type, including future ones.'),
  description: z.string().max(500).optional().describe('Your own description, shown in lists of endpoints.'),
})

export const Endpoint = z
  .object({
    id: z.string().describe('Assigned by the shop; it stays the same when the address changes.'),
    url: z.string().describe('The URL that events are posted to.'),
    types: z.array(z.string()).nullable().describe('Types of event that it gets; null for every type.'),
    description: z.string().describe('Your own description; empty if there is none.'),
    enabled: z.boolean().describe('false: new events are not queued for it, and what is queued waits.'),
    disabledReason: z
      .string()
      .nullable()
      .describe('Why it is disabled: by an admin, after five days of failures, or by a 410; null while it is enabled.'),
    failingSince: Timestamp.nullable().describe('First failure since its last success, in UTC; null without one.'),
    pausedUntil: Timestamp.nullable().describe(
      'Paused until this time, because too many attempts failed; null without a pause.',
    ),
    previousSecretUntil: Timestamp.nullable().describe(
      'Until this time, after a rotation, the previous secret signs as well; null if only one signs.',
    ),
    createdAt: Timestamp.describe('When it was registered, ISO 8601 in UTC.'),
    updatedAt: Timestamp.describe('When it was last changed, disabled or given a new secret, ISO 8601 in UTC.'),
  })
  .meta({ id: 'WebhookEndpoint' })
export type Endpoint = z.output<typeof Endpoint>

/** As in responses that create a secret. */
export const EndpointWithSecret = Endpoint.extend({
  secret: z.string().describe('Signs its deliveries. Store it: no other response shows it again.'),
})

/** As its merchant sees it: without its secret. */
export function showEndpoint(row: StoredEndpoint, now: Date): Endpoint {
  const ifAhead = (time: Date | null) => (time !== null && time > now ? time.toISOString() : null)
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    pausedUntil: ifAhead(row.paused_until),
    previousSecretUntil: ifAhead(row.previous_until),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Each type once, in the order in which they were named. */
export function distinctTypes(types: WebhookType[] | null | undefined): WebhookType[] | null {
  return types ? [...new Set(types)] : null
}
