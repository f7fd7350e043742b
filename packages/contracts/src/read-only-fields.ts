import type { z } from 'zod'

/**
 * `fixed` never changes after the record was created, or has a route of its own. `live` changes with sales, reviews and
 * time, so that a record sent back may hold an older value.
 */
export type ReadOnlyKind = 'fixed' | 'live'

const declared = new WeakMap<z.ZodType, ReadonlyMap<string, ReadOnlyKind>>()

/**
 * Declares the fields of a record that replies carry and a write cannot set. Clients send whole records back: these
 * fields are not unknown in them.
 * @param schema of the body of the write, or of an object inside it; the exact instance, since its methods make others
 */
export function declareReadOnly(
  schema: z.ZodType,
  { fixed = [], live = [] }: Partial<Record<ReadOnlyKind, readonly string[]>>,
): void {
  const kinds = [
    ...fixed.map((name): [string, ReadOnlyKind] => [name, 'fixed']),
    ...live.map((name): [string, ReadOnlyKind] => [name, 'live']),
  ]
  declared.set(schema, new Map(kinds))
}

const NONE: ReadonlyMap<string, ReadOnlyKind> = new Map()

/** @returns the fields that `declareReadOnly` declared for a schema, none for any other */
export function readOnlyFieldsOf(schema: z.ZodType): ReadonlyMap<string, ReadOnlyKind> {
  return declared.get(schema) ?? NONE
}
