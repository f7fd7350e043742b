import { isDeepStrictEqual } from 'node:util'
import { LEFT_OUT, recordAction } from '@storefront/audit'
import type { Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { StoredEndpoint } from './endpoints.queries.ts'

const AUDITED = ['url', 'types', 'description', 'enabled', 'secret', 'previous_until'] as const
type Audited = (typeof AUDITED)[number]

/**
 * Records in the transaction of a change who made it and what it was. An unchanged endpoint gets no entry.
 * @param change.before undefined when it is new
 * @param change.after undefined when it is deleted
 */
export async function recordEndpointChange(
  tx: Tx,
  { actor, before, after, at }: { actor: Actor; before?: StoredEndpoint; after?: StoredEndpoint; at: Date },
): Promise<void> {
  const endpoint = after ?? before
  if (!endpoint) return
  const names = AUDITED.filter((name) => !before || !after || !isDeepStrictEqual(before[name], after[name]))
  if (names.length === 0) return
  const actionOnKnown = after ? 'update' : 'delete'
  await recordAction(tx, {
    actor,
    action: before ? actionOnKnown : 'create',
    subject: { kind: 'webhook', id: endpoint.id },
    before: before && shown(before, names),
    after: after && shown(after, names),
    at,
  })
}

function shown(row: StoredEndpoint, names: readonly Audited[]): Record<string, unknown> {
  const all: Record<Audited, [string, unknown]> = {
    url: ['url', withoutPath(row.url)],
    types: ['types', row.types],
    description: ['description', row.description],
    enabled: ['enabled', row.enabled],
    secret: ['secret', row.secret === null ? null : LEFT_OUT],
    previous_until: ['previousSecretUntil', row.previous_until?.toISOString() ?? null],
  }
  return Object.fromEntries(names.map((name) => all[name]))
}

/** The audit must show where webhooks went. The part after the host often contains the key to the receiver. */
function withoutPath(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/${LEFT_OUT}`
}
