import { sql } from 'kysely'
import type { Database } from '../database.ts'

interface Subject {
  kind: string
  id: string
}

interface NamedSubject extends Subject {
  name: string
}

/** The current names of these records. */
export async function findSubjectNames(db: Database, subjects: readonly Subject[]): Promise<NamedSubject[]> {
  const idsOf = (kind: string) => subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)
  const { rows } = await sql<NamedSubject>`
    select 'product' as kind, id, title as name from products where id = any(${idsOf('product')})
    union all
    select 'variant', v.id, p.title || ', ' || v.sku from variants v join products p on p.id = v.product_id
      where v.id = any(${idsOf('variant')})
    union all select 'category', slug, name from categories where slug = any(${idsOf('category')})
    union all select 'collection', slug, title from collections where slug = any(${idsOf('collection')})
    union all select 'media', id, name from media where id = any(${idsOf('media')})`.execute(db)
  return rows
}

/**
 * The names of records at their deletion. Each is one index lookup, because the deletion is the last entry of a record.
 */
export async function findLastNames(db: Database, subjects: readonly Subject[]): Promise<NamedSubject[]> {
  const { rows } = await sql<NamedSubject>`
    select s.kind, s.id, gone.name
    from unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::text[]) as s (kind, id)
    cross join lateral (
      select coalesce(a.before->>'title', a.before->>'name', a.before->>'label') as name
      from audit_entries a where a.subject_kind = s.kind and a.subject_id = s.id and a.action = 'delete'
      order by a.id desc limit 1) as gone
    where gone.name is not null`.execute(db)
  return rows
}
