import { actorIdOf } from '@storefront/audit'
import { requireUnchanged, type App, type SentBackField } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { declareReadOnly, type Actor } from '@storefront/contracts'
import { z } from 'zod'
import type { NotifierContext } from '../context.ts'
import { endpointNotFound, namedByConfiguration } from '../errors.ts'
import {
  distinctTypes,
  Endpoint,
  EndpointInput,
  EndpointParams,
  showEndpoint,
  STOREFRONT_ENDPOINT_ID,
} from './endpoint.ts'
import { ENABLED, lockEndpoint, updateEndpoint, type StoredEndpoint } from './endpoints.queries.ts'
import { recordEndpointChange } from './record-endpoint-change.ts'
import { requireGoodUrl } from './require-good-url.ts'

const EndpointChange = EndpointInput.partial().extend({
  enabled: z.boolean().optional().describe('false pauses it; true resumes it, and clears its failures.'),
})
declareReadOnly(EndpointChange, {
  fixed: ['id', 'createdAt'],
  live: ['disabledReason', 'failingSince', 'pausedUntil', 'previousSecretUntil', 'secret', 'updatedAt'],
})
type EndpointChange = z.output<typeof EndpointChange>

export function changeEndpointRoute(app: App, context: NotifierContext): void {
  app.patch('/admin/webhooks/:id', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found', 'read_only_field'] },
    schema: {
      summary: 'Change an endpoint; null as types is every type',
      description: 'Pending deliveries go to the new address. Other types are no longer queued.',
      params: EndpointParams,
      body: EndpointChange,
      response: { 200: Endpoint },
    },
    handler: async ({ params, body, actor, sentBack }) => {
      if (body.url !== undefined) await requireGoodUrl(body.url, context)
      return changeEndpoint(context, params.id, body, { actor, sentBack })
    },
  })
}

/** Changes only the named fields. Deliveries that wait for an endpoint are sent when it is enabled again. */
export async function changeEndpoint(
  { db, clock, log, deliver }: NotifierContext,
  id: string,
  change: EndpointChange,
  { actor, sentBack = [] }: { actor: Actor; sentBack?: readonly SentBackField[] },
): Promise<Endpoint> {
  const now = clock.now()
  const by = actorIdOf(actor)
  const changed = await transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, id)
    if (!before) throw endpointNotFound()
    requireUnchanged(sentBack, showEndpoint(before, now))
    requireChangeable(before, change)
    const moved = change.url !== undefined && change.url !== before.url
    const enabling = change.enabled === true && ENABLED
    const disabling = change.enabled === false && disabledBy(before, by, now)
    const { url = before.url, description = before.description } = change
    const types = change.types === undefined ? before.types : distinctTypes(change.types)
    const fields = { url, description, types, ...enabling, ...disabling, updated_at: now }
    const after = await updateEndpoint(tx, id, fields, { clearsFailures: moved })
    await recordEndpointChange(tx, { actor, before, after, at: now })
    return after
  })
  log.info({ endpoint: id, actor: by, fields: Object.keys(change) }, 'a webhook endpoint was changed')
  if (changed.enabled) deliver()
  return showEndpoint(changed, now)
}

/** The first reason and time are kept; only an admin's decision replaces one of the service. */
function disabledBy(before: StoredEndpoint, by: string, now: Date) {
  const { disabled_reason: reason, disabled_at: at } = before
  return before.enabled
    ? { enabled: false, disabled_reason: 'an admin disabled it', disabled_by: by, disabled_at: now }
    : { enabled: false, disabled_reason: reason, disabled_by: by, disabled_at: at }
}

function requireChangeable(before: StoredEndpoint, { url, types }: EndpointChange): void {
  if (before.id !== STOREFRONT_ENDPOINT_ID) return
  if (url !== undefined && url !== before.url) throw namedByConfiguration('its address is STOREFRONT_URL')
  if (types !== undefined && types !== null) throw namedByConfiguration('it gets every type of event')
}
