import { sql } from 'kysely'
import {
  newId,
  type Library,
  type LibraryAssuranceInput,
  type LibraryAttributeInput,
  type LibraryFeatureInput,
  type LibraryInput,
  type LibraryItem,
  type LibraryKind,
} from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { planCards, type SavedCard } from './plan-cards.ts'

type CardInput = LibraryFeatureInput | LibraryAssuranceInput

/** Feature cards and assurances are saved in the same way: content under an id. */
interface CardKind {
  table: string
  columns: readonly string[]
}
const FEATURES: CardKind = { table: 'library_features', columns: ['icon', 'title', 'body'] }
const ASSURANCES: CardKind = { table: 'library_assurances', columns: ['icon', 'label', 'note'] }

const CARDS = { features: FEATURES, assurances: ASSURANCES }
type CardKindName = keyof typeof CARDS

/** The table of each kind of item, and the shape of its response. */
const KINDS = {
  attributes: {
    table: sql.table('library_attributes'),
    item: sql`jsonb_strip_nulls(jsonb_build_object(
      'id', id, 'key', key, 'label', label, 'group', "group", 'unit', unit, 'values', values, 'custom', true))`,
  },
  features: {
    table: sql.table('library_features'),
    item: sql`jsonb_build_object('id', id, 'icon', icon, 'title', title, 'body', body)`,
  },
  assurances: {
    table: sql.table('library_assurances'),
    item: sql`jsonb_strip_nulls(jsonb_build_object('id', id, 'icon', icon, 'label', label, 'note', note))`,
  },
}

/**
 * The whole library of a store, each kind in the order of saving; one statement, so that all of it is from one
 * snapshot.
 */
export async function findLibrary(db: Database | Tx): Promise<Library> {
  const itemsOf = ({ table, item }: (typeof KINDS)[LibraryKind]) =>
    sql`coalesce((select jsonb_agg(${item} order by position) from ${table}), '[]')`
  const { rows } = await sql<Library>`
    select ${itemsOf(KINDS.attributes)} as attributes, ${itemsOf(KINDS.features)} as features,
      ${itemsOf(KINDS.assurances)} as assurances`.execute(db)
  return rows[0] ?? { attributes: [], features: [], assurances: [] }
}

/** The item of a library under an id, locked. */
export async function findLibraryItem(tx: Tx, kind: LibraryKind, id: string): Promise<LibraryItem | undefined> {
  const { table, item } = KINDS[kind]
  const { rows } = await sql<{ item: LibraryItem }>`
    select ${item} as item from ${table} where id = ${id} for update`.execute(tx)
  return rows[0]?.item
}

/** The id under which an attribute of this key is saved. */
export async function findAttributeId(tx: Tx, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from library_attributes where key = ${key}`.execute(tx)
  return rows[0]?.id
}

/** The id of a card with the same text; the one that was saved first. */
export async function findCardId(tx: Tx, kind: CardKindName, card: CardInput): Promise<string | undefined> {
  const { table, saved, given } = fragmentsOf(CARDS[kind])
  const { rows } = await sql<{ id: string }>`
    select saved.id from ${table} as saved, ${cardRows(CARDS[kind], [card])}
    where (${saved}) is not distinct from (${given}) order by saved.position limit 1`.execute(tx)
  return rows[0]?.id
}

/** Saves a card under its id, even if another has the same text. */
export async function saveCard(tx: Tx, kind: CardKindName, card: CardInput & { id: string }): Promise<void> {
  await saveCards(tx, CARDS[kind], [card])
}

/** Sets the label and fields of an attribute. Without new values, it keeps its values. */
export async function updateAttribute(
  tx: Tx,
  id: string,
  { key, label, group, unit, values }: Omit<LibraryAttributeInput, 'id' | 'values'> & { values?: readonly string[] },
): Promise<void> {
  const kept = values === undefined ? sql`values` : sql`${[...new Set(values)]}::text[]`
  await sql`
    update library_attributes set key = ${key}, label = ${label}, "group" = ${group}, unit = ${unit ?? null},
      values = ${kept}
    where id = ${id}`.execute(tx)
}

export async function deleteLibraryItem(tx: Tx, kind: LibraryKind, id: string): Promise<void> {
  await sql`delete from ${KINDS[kind].table} where id = ${id}`.execute(tx)
}

/**
 * Saves the library items of an import. Attributes are identified by key and collect values; for the identity of cards,
 * see plan-cards.ts.
 * @param stored the library before
 * @returns whether anything changed
 */
export async function mergeLibrary(tx: Tx, library: LibraryInput, stored: Library): Promise<boolean> {
  const changed = [
    await upsertAttributes(tx, library.attributes),
    await saveCards(tx, FEATURES, planCards(stored.features, library.features, 'merge').saves),
    await saveCards(tx, ASSURANCES, planCards(stored.assurances, library.assurances, 'merge').saves),
  ]
  return changed.includes(true)
}

/**
 * Makes a library identical to that of an import, ids included.
 * @param stored the library before
 * @returns whether anything changed
 */
export async function replaceLibrary(tx: Tx, library: LibraryInput, stored: Library): Promise<boolean> {
  const changed = [
    stored.attributes.length > 0 && (await dropOtherAttributes(tx, library.attributes)),
    await upsertAttributes(tx, library.attributes),
    await keepGivenValues(tx, library.attributes),
    await replaceCards(tx, FEATURES, stored.features, library.features),
    await replaceCards(tx, ASSURANCES, stored.assurances, library.assurances),
  ]
  return changed.includes(true)
}

/** @returns whether anything changed */
export async function upsertAttributes(tx: Tx, attributes: readonly LibraryAttributeInput[]): Promise<boolean> {
  if (attributes.length === 0) return false
  // An id that another attribute has already is not an error: nothing refers to it, the key identifies the attribute.
  const { rows } = await sql`
    insert into library_attributes as saved (id, key, label, "group", unit, values)
    select case when exists (select 1 from library_attributes known where known.id = given.id)
      then given."freshId" else given.id end, given.key, given.label, given."group", given.unit, given.values
    from ${attributeRows(attributes)} order by given.place
    on conflict (key) do update set label = excluded.label, "group" = excluded."group", unit = excluded.unit,
      values = saved.values || array(
        select value from unnest(excluded.values) with ordinality as seen (value, place)
        where value <> all(saved.values) order by seen.place)
    where (saved.label, saved."group", saved.unit) is distinct from (excluded.label, excluded."group", excluded.unit)
      or not saved.values @> excluded.values
    returning key`.execute(tx)
  return rows.length > 0
}

/**
 * Deletes attributes that are not given, or are given under another id: nothing refers to the old id, and they are
 * saved again.
 */
async function dropOtherAttributes(tx: Tx, attributes: readonly LibraryAttributeInput[]): Promise<boolean> {
  const { rows } = await sql`
    delete from library_attributes saved where not exists (
      select 1 from ${attributeRows(attributes)}
      where given.key = saved.key and (given.id = saved.id or not given."isNamed"))
    returning key`.execute(tx)
  return rows.length > 0
}

async function keepGivenValues(tx: Tx, attributes: readonly LibraryAttributeInput[]): Promise<boolean> {
  if (attributes.length === 0) return false
  const { rows } = await sql`
    update library_attributes saved set values = given.values from ${attributeRows(attributes)}
    where given.key = saved.key and given.values <> saved.values returning saved.key`.execute(tx)
  return rows.length > 0
}

async function saveCards(tx: Tx, kind: CardKind, cards: readonly CardInput[]): Promise<boolean> {
  if (cards.length === 0) return false
  const { table, content, given, excluded } = fragmentsOf(kind)
  await sql`
    insert into ${table} (id, ${content}) select given.id, ${given} from ${cardRows(kind, cards)} order by given.place
    on conflict (id) do update set (${content}) = row(${excluded})`.execute(tx)
  return true
}

async function replaceCards(
  tx: Tx,
  kind: CardKind,
  stored: readonly SavedCard[],
  given: readonly CardInput[],
): Promise<boolean> {
  const { saves, keptIds } = planCards(stored, given, 'replace')
  const hasOthers = keptIds.size < stored.length
  if (hasOthers) await sql`delete from ${sql.table(kind.table)} where id <> all(${[...keptIds]})`.execute(tx)
  return (await saveCards(tx, kind, saves)) || hasOthers
}

/**
 * The attributes as rows `given`, every key once: the last one determines the label, the values of all of them are
 * combined.
 */
function attributeRows(attributes: readonly LibraryAttributeInput[]) {
  const byKey = new Map<string, LibraryAttributeInput>()
  for (const attribute of attributes) {
    const values = new Set([...(byKey.get(attribute.key)?.values ?? []), ...attribute.values])
    byKey.set(attribute.key, { ...attribute, values: [...values] })
  }
  const taken = new Set<string>()
  const rows = [...byKey.values()].map((attribute) => {
    const freshId = newId('libraryItem')
    const id = attribute.id === undefined || taken.has(attribute.id) ? freshId : attribute.id
    taken.add(id)
    return { ...attribute, id, freshId, isNamed: id === attribute.id }
  })
  return sql`rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as (id text, "freshId" text, "isNamed" bool, key text, label text, "group" text, unit text, values text[])
    ) with ordinality as given (id, "freshId", "isNamed", key, label, "group", unit, values, place)`
}

/** The cards as rows `given`, every id once: the last card with an id is used. */
function cardRows({ columns }: CardKind, cards: readonly CardInput[]) {
  const byId = new Map(
    cards.map((card) => {
      const id = card.id ?? newId('libraryItem')
      return [id, { ...card, id }]
    }),
  )
  const names = ['id', ...columns].map((column) => sql.ref(column))
  return sql`rows from (jsonb_to_recordset(${JSON.stringify([...byId.values()])}::jsonb)
    as (${sql.join(names.map((name) => sql`${name} text`))})) with ordinality as given (${sql.join(names)}, place)`
}

function fragmentsOf({ table, columns }: CardKind) {
  const columnsOf = (alias: string) => sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)))
  return {
    table: sql.table(table),
    content: sql.join(columns.map((column) => sql.ref(column))),
    saved: columnsOf('saved'),
    given: columnsOf('given'),
    excluded: columnsOf('excluded'),
  }
}
