import { z } from 'zod'
import { Timestamp, WebhookType, type Actor } from '@storefront/contracts'
import type { StoredEndpoint } from './endpoints.queries.ts'

/** Every event is a row for each of them. */
export const MAX_ENDPOINTS = 50
/** The endpoint that comes from the configuration has a fixed id, so that a new address keeps its log. */
export const STOREFRONT_ENDPOINT_ID = 'whe_storefront'

/** Which types of event it gets; null is every type, those included that are yet to come. */
export const EndpointTypes = z.array(WebhookType).min(1).max(100).nullable()

/** What a merchant says of an endpoint. The address is looked at by `requireGoodUrl`. */
export const EndpointInput = z.object({
  url: z.string().min(1).max(2000),
  types: EndpointTypes.optional(),
  description: z.string().max(500).optional(),
})

export const Endpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    types: z.array(z.string()).nullable(),
    description: z.string(),
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    /** The first of the failures since its last success. */
    failingSince: Timestamp.nullable(),
    /** Nothing is sent before, because too much of what was sent failed. */
    pausedUntil: Timestamp.nullable(),
    /** Until then the secret before signs as well. */
    previousSecretUntil: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint' })
export type Endpoint = z.output<typeof Endpoint>

/** As its merchant sees it: without its secret. */
export function showEndpoint(row: StoredEndpoint, now: Date): Endpoint {
  const isAhead = (time: Date | null) => (time !== null && time > now ? time.toISOString() : null)
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    pausedUntil: isAhead(row.paused_until),
    previousSecretUntil: isAhead(row.previous_until),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Each type once, in the order in which they were named. */
export function distinctTypes(types: WebhookType[] | null | undefined): WebhookType[] | null {
  return types ? [...new Set(types)] : null
}

/** The admin user or the secret key, for routes whose access is an admin permission. */
export function adminIdOf(actor: Actor): string {
  return actor.kind === 'admin' ? actor.userId : 'unknown'
}
