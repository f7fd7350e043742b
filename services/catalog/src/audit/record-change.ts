import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Actor } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { leaveOutSecret } from './leave-out-secret.ts'

/** What a merchant can change. */
export const AUDITED_KINDS = [
  'product',
  'variant',
  'category',
  'collection',
  'size-chart',
  'library-item',
  'review',
  'storefront',
  'media',
  'import',
] as const
export type AuditedKind = (typeof AUDITED_KINDS)[number]

export interface Subject {
  kind: AuditedKind
  id: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Writes down in the transaction of a change who made it and what it was. Nothing is written when nothing differs.
 * @param before all fields as they were; undefined when it is new
 * @param after all fields as they are; undefined when it is gone
 */
export async function recordChange(
  tx: Tx,
  { actor, subject, before, after, at }: { actor: Actor; subject: Subject; before?: Fields; after?: Fields; at: Date },
): Promise<void> {
  const differing = before && after ? differingFields(before, after) : undefined
  if (differing?.length === 0) return
  const action = !before ? 'create' : after ? 'update' : 'delete'
  await insertEntry(tx, {
    actor,
    action,
    subject,
    before: before && (differing ? picked(before, differing) : before),
    after: after && (differing ? picked(after, differing) : after),
    at,
  })
}

/** Writes down that many things were changed at once, with a summary of them. */
export async function recordImport(
  tx: Tx,
  { actor, id, summary, at }: { actor: Actor; id: string; summary: Fields; at: Date },
): Promise<void> {
  const subject: Subject = { kind: 'import', id }
  await insertEntry(tx, { actor, action: 'import', subject, before: undefined, after: summary, at })
}

async function insertEntry(
  tx: Tx,
  entry: {
    actor: Actor
    action: 'create' | 'update' | 'delete' | 'import'
    subject: Subject
    before: Fields | undefined
    after: Fields | undefined
    at: Date
  },
): Promise<void> {
  const json = (fields: Fields | undefined) => (fields === undefined ? null : JSON.stringify(fields, leaveOutSecret))
  await sql`
    insert into audit_entries (at, actor, action, subject_kind, subject_id, before, after)
    values (${entry.at}, ${nameOf(entry.actor)}, ${entry.action}, ${entry.subject.kind}, ${entry.subject.id},
      ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)`.execute(tx)
}

/** How an actor is named in the books. */
export function nameOf(actor: Actor): string {
  if (actor.kind === 'admin') return actor.userId
  return actor.kind === 'customer' ? actor.customerId : 'anonymous'
}

function differingFields(before: Fields, after: Fields): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}
