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

type CardInput = LibraryFeatureInput | LibraryAssuranceInput

/** Feature cards and assurances are saved alike: content under an id. */
interface CardKind {
  table: string
  columns: readonly string[]
}
const FEATURES: CardKind = { table: 'library_features', columns: ['icon', 'title', 'body'] }
const ASSURANCES: CardKind = { table: 'library_assurances', columns: ['icon', 'label', 'note'] }

const CARDS = { features: FEATURES, assurances: ASSURANCES }
type CardKindName = keyof typeof CARDS

/** Where the items of each kind are kept, and how they are answered. */
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

/** Everything a store saved, each kind in the order of saving; one statement, so that all of it is of one moment. */
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

/** The id of a card that reads like this one, word for word; the one that was saved first. */
export async function findCardId(tx: Tx, kind: CardKindName, card: CardInput): Promise<string | undefined> {
  const { table, saved, given } = fragmentsOf(CARDS[kind])
  const { rows } = await sql<{ id: string }>`
    select saved.id from ${table} as saved, ${cardRows(CARDS[kind], [card])}
    where (${saved}) is not distinct from (${given}) order by saved.position limit 1`.execute(tx)
  return rows[0]?.id
}

/** Saves a card under its id, whatever else reads like it. */
export async function saveCard(tx: Tx, kind: CardKindName, card: CardInput & { id: string }): Promise<void> {
  const { table, content, given, excluded } = fragmentsOf(CARDS[kind])
  await sql`
    insert into ${table} (id, ${content}) select given.id, ${given} from ${cardRows(CARDS[kind], [card])}
    on conflict (id) do update set (${content}) = row(${excluded})`.execute(tx)
}

/** Makes an attribute read exactly like this. Without values it keeps those it has. */
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
 * Saves what an import says. Attributes are known by key and collect values; features and assurances are known by id, and
 * one that is there already, word for word, is left alone, so that an import can be repeated.
 * @returns whether anything changed
 */
export async function upsertLibrary(tx: Tx, library: LibraryInput): Promise<boolean> {
  const attributes = await upsertAttributes(tx, library.attributes)
  const features = await upsertCards(tx, FEATURES, library.features)
  const assurances = await upsertCards(tx, ASSURANCES, library.assurances)
  return attributes || features || assurances
}

/**
 * Deletes what is not in a library that was upserted in the same transaction; values of attributes become exactly its.
 * @returns whether anything changed
 */
export async function keepOnlyLibrary(tx: Tx, library: LibraryInput): Promise<boolean> {
  const attributes = await keepOnlyAttributes(tx, library.attributes)
  const features = await keepOnlyCards(tx, FEATURES, library.features)
  const assurances = await keepOnlyCards(tx, ASSURANCES, library.assurances)
  return attributes || features || assurances
}

/** @returns whether anything changed */
export async function upsertAttributes(tx: Tx, attributes: readonly LibraryAttributeInput[]): Promise<boolean> {
  // An id that another attribute has already is not worth a refusal: nothing refers to it, the key says which one it is.
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

async function keepOnlyAttributes(tx: Tx, attributes: readonly LibraryAttributeInput[]): Promise<boolean> {
  const deleted = await sql`
    delete from library_attributes where key <> all(${attributes.map((each) => each.key)}) returning key`.execute(tx)
  const narrowed = await sql`
    update library_attributes saved set values = given.values from ${attributeRows(attributes)}
    where given.key = saved.key and given.values <> saved.values returning saved.key`.execute(tx)
  return deleted.rows.length + narrowed.rows.length > 0
}

async function upsertCards(tx: Tx, kind: CardKind, cards: readonly CardInput[]): Promise<boolean> {
  const { table, content, saved, given } = fragmentsOf(kind)
  const updated = await sql`
    update ${table} as saved set (${content}) = row(${given}) from ${cardRows(kind, cards)}
    where given.id = saved.id and (${given}) is distinct from (${saved}) returning saved.id`.execute(tx)
  const inserted = await sql`
    insert into ${table} (id, ${content})
    select given.id, ${given} from (
      select distinct on (${given}) given.* from ${cardRows(kind, cards)}
      where not exists (
        select 1 from ${table} as saved where saved.id = given.id or (${saved}) is not distinct from (${given}))
      order by ${given}, given.place
    ) as given order by given.place
    returning id`.execute(tx)
  return updated.rows.length + inserted.rows.length > 0
}

async function keepOnlyCards(tx: Tx, kind: CardKind, cards: readonly CardInput[]): Promise<boolean> {
  const { table, saved, given } = fragmentsOf(kind)
  const { rows } = await sql`
    delete from ${table} as saved where not exists (
      select 1 from ${cardRows(kind, cards)} where given.id = saved.id or (${given}) is not distinct from (${saved})
        and not exists (select 1 from ${table} as known where known.id = given.id))
    returning saved.id`.execute(tx)
  return rows.length > 0
}

/** The attributes as rows `given`, every key once: the last one says how it reads, the values of all of them come together. */
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
    return { ...attribute, id, freshId }
  })
  return sql`rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as (id text, "freshId" text, key text, label text, "group" text, unit text, values text[])
    ) with ordinality as given (id, "freshId", key, label, "group", unit, values, place)`
}

/** The cards as rows `given`, every id once; of two with the same id the last one counts. */
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
