import { namelessActor } from '@storefront/audit'
import { optionalFilter, PerPage, perPageParameter, periodParameters, type App } from '@storefront/http'
import {
  ActivityFacts,
  ActivityKind,
  AuditingService,
  listOf,
  MAX_ACTIVITY_TOTAL,
  NamedActor,
  OpaqueId,
} from '@storefront/contracts'
import { z } from 'zod'
import { findActorIdsByEmail, findActors } from '../actors/actors.queries.ts'
import { identityActivity } from '../audit/identity-activity.ts'
import type { IdentityContext } from '../context.ts'
import type { Database } from '../database.ts'
import { adminOf } from '../sessions/caller.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { readAllActivity, type FoundEntry } from './read-all-activity.ts'
import { wantedKinds } from './wanted-kinds.ts'

const Query = z.object({
  actor: z
    .string()
    .trim()
    .max(320)
    .optional()
    .describe('Id of an admin user or secret key, or email address of a user.'),
  subject: optionalFilter(ActivityKind).describe('The subject of the entries.'),
  service: optionalFilter(AuditingService).describe('The service that has the entries.'),
  ...periodParameters('Made'),
  cursor: z.string().max(500).optional().describe('`nextCursor` of the previous page.'),
  per_page: perPageParameter({ default: 25, max: 100 }),
})

const ActivityEntry = z
  .object({
    id: z.string().describe('Unique among the entries of all services.'),
    service: AuditingService.describe('The service that has the entry, and whose audit shows all of it.'),
    actor: NamedActor.describe('The actor, by current name.'),
    ...ActivityFacts.shape,
  })
  .meta({ id: 'ActivityEntry' })

const ActivityList = listOf(ActivityEntry).extend({
  total: z
    .int()
    .nonnegative()
    .max(MAX_ACTIVITY_TOTAL)
    .describe(`How many entries match; ${MAX_ACTIVITY_TOTAL} stands for that many or more.`),
  perPage: PerPage,
  nextCursor: z.string().optional().describe('Send it as `cursor` for the next page; missing on the last page.'),
  services: z.array(AuditingService).describe('The requested services that you are allowed to see.'),
  incomplete: z.array(AuditingService).describe('Those of them that could not be reached: their entries are missing.'),
})

/** The maximum that the request for activity allows. */
const MAX_ACTOR_IDS = 100

export function listActivityRoute(app: App, { db, messaging, log }: IdentityContext): void {
  const context = { messaging, log, own: identityActivity(db) }
  app.get('/admin/activity', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The activity of the shop with its actors, latest first',
      description:
        'Merged from the audits of all services. You see the areas that your permissions include: discounts with ' +
        '`discounts:write`, orders, draft orders, reconciliations and mails with `orders:read`, buyers with ' +
        '`customers:read`, webhooks with `webhooks:write`, sign-ins, users, keys, credentials, customer accounts and ' +
        'saved views with `admins:write`, all others with `catalog:read`; an owner sees all of them. A filter for an area ' +
        'that you may not see is 403. New entries appear on earlier pages: following cursors repeats no entry and ' +
        'skips none. An import is one entry; its effects on single discounts are in ' +
        '/admin/discounts/audit.',
      querystring: Query,
      response: { 200: ActivityList },
    },
    handler: async ({ query, actor }) => {
      const { per_page: perPage, from, to } = query
      const wanted = wantedKinds(adminOf(actor).permissions, query)
      const behind = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
      const actorIds = query.actor === undefined || query.actor === '' ? undefined : await actorIdsOf(db, query.actor)
      const { entries, total, incomplete } = await readAllActivity(
        context,
        // One more than a page holds, which shows whether there is another page.
        {
          limit: perPage + 1,
          ...(behind && { behind }),
          ...(actorIds && { actorIds }),
          ...(from && { from }),
          ...(to && { to }),
        },
        wanted,
      )
      const page = entries.slice(0, perPage)
      const last = page.at(-1)
      return {
        items: await withActors(db, page),
        total,
        perPage,
        ...(entries.length > perPage && last && { nextCursor: encodeCursor(last) }),
        services: [...wanted.keys()],
        incomplete,
      }
    },
  })
}

/** Empty when no actor can match: services reject a request with an id that is too long. */
async function actorIdsOf(db: Database, actor: string): Promise<string[]> {
  if (!actor.includes('@')) return OpaqueId.safeParse(actor).success ? [actor] : []
  return (await findActorIdsByEmail(db, actor)).slice(0, MAX_ACTOR_IDS)
}

async function withActors(db: Database, entries: readonly FoundEntry[]): Promise<z.output<typeof ActivityEntry>[]> {
  const ids = [...new Set(entries.flatMap(({ actorId }) => actorId ?? []))]
  const actors = new Map((await findActors(db, ids)).map((actor) => [actor.id, actor]))
  return entries.map(({ source, number, actorId, ...entry }) => ({
    id: `${source}-${number}`,
    ...entry,
    actor:
      actorId === null ? { kind: 'visitor', id: null, name: null } : (actors.get(actorId) ?? namelessActor(actorId)),
  }))
}
