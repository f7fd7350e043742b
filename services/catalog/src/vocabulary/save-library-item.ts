import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import { requireKnownFields, requireUnchanged, type App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import {
  LibraryAssuranceInput,
  LibraryAttributeInput,
  LibraryFeatureInput,
  LibraryItem,
  type LibraryKind,
  newId,
  SettingsUpdated,
} from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { attributeKeyTaken, bodyRejected, issuesOf, libraryItemNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { commitWrite, type InvalidationContext } from '../merchant/invalidate-caches.ts'
import { lockSettings } from '../settings/settings.queries.ts'
import { checkKind, KindParams } from './library-kind.ts'
import {
  findAttributeId,
  findCardId,
  findLibraryItem,
  saveCard,
  updateAttribute,
  upsertAttributes,
} from './library.queries.ts'

/** A merchant's item, validated by the shape of its kind. */
type Wanted =
  | { kind: 'attributes'; item: LibraryAttributeInput; namesValues: boolean }
  | { kind: 'features'; item: LibraryFeatureInput }
  | { kind: 'assurances'; item: LibraryAssuranceInput }

interface Saved {
  id: string
  before: LibraryItem | undefined
}

/**
 * Saves an attribute, a feature or an assurance. Without an id it is new, unless the store has it already: values are
 * then added to the attribute with the same key, and a card with the same text is not changed. A known id changes that
 * item; an unknown one is kept, as an import keeps it, so that a save can be repeated.
 */
export function saveLibraryItemRoute(app: App, context: InvalidationContext & { clock: Clock }): void {
  app.post('/admin/library/:kind', {
    config: {
      access: { admin: 'catalog:write' },
      errors: ['conflict', 'invalid_kind', 'not_found', 'read_only_field'],
    },
    onRequest: checkKind,
    schema: {
      summary: 'Save an attribute, a feature or an assurance',
      description:
        'Without an `id`, an attribute adds its values to the one with the same key, and a card with the ' +
        'same text as an existing one is not created again. A known `id` changes that item.',
      params: KindParams,
      body: z
        .record(z.string(), z.unknown())
        .meta({ description: 'The item, without its id when it is new; the kind determines the shape.' }),
      response: { 200: LibraryItem },
    },
    handler: async ({ params, body, actor }, reply) => {
      const wanted = wantedOf(params.kind, body)
      const at = context.clock.now()
      const { after } = await commitWrite(context, reply, async (tx) => {
        // The lock keeps two concurrent saves from creating the same card twice.
        const { version } = await lockSettings(tx)
        const { id, before } = await saveItem(tx, wanted)
        const after = await findLibraryItem(tx, wanted.kind, id)
        if (!after) throw libraryItemNotFound()
        if (JSON.stringify(before) === JSON.stringify(after)) return { after, keys: [] }
        const subject = { kind: 'library-item' as const, id }
        await recordChange(tx, { actor, subject, ...(before && { before }), after, at })
        await publish(tx, SettingsUpdated, { version }, at)
        return { after, keys: [key.library] }
      })
      return after
    },
  })
}

function wantedOf(kind: LibraryKind, body: Record<string, unknown>): Wanted {
  if (kind === 'attributes') {
    return { kind, item: parsed(LibraryAttributeInput, body), namesValues: body['values'] !== undefined }
  }
  if (kind === 'features') return { kind, item: parsed(LibraryFeatureInput, body) }
  return { kind, item: parsed(LibraryAssuranceInput, body) }
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  // The editor of the storefront marks attributes that the shop has made.
  requireUnchanged(requireKnownFields(schema, body), { custom: true }, { isWhole: true })
  const result = schema.safeParse(body)
  if (!result.success) throw bodyRejected(issuesOf(result.error))
  return result.data
}

async function saveItem(tx: Tx, wanted: Wanted): Promise<Saved> {
  if (wanted.kind === 'attributes') return saveAttribute(tx, wanted.item, wanted.namesValues)
  const { kind, item } = wanted
  const id = item.id ?? (await findCardId(tx, kind, item)) ?? newId('libraryItem')
  const before = await findLibraryItem(tx, kind, id)
  if (item.id !== undefined || !before) await saveCard(tx, kind, { ...item, id })
  return { id, before }
}

async function saveAttribute(tx: Tx, item: LibraryAttributeInput, namesValues: boolean): Promise<Saved> {
  const known = item.id === undefined ? undefined : await findLibraryItem(tx, 'attributes', item.id)
  const withKey = await findAttributeId(tx, item.key)
  if (known && item.id !== undefined) {
    if (withKey !== undefined && withKey !== item.id) throw attributeKeyTaken(item.key)
    const { values, ...texts } = item
    await updateAttribute(tx, item.id, { ...texts, ...(namesValues && { values }) })
    return { id: item.id, before: known }
  }
  const before = withKey === undefined ? undefined : await findLibraryItem(tx, 'attributes', withKey)
  await upsertAttributes(tx, [item])
  return { id: (await findAttributeId(tx, item.key)) ?? '', before }
}
