const REFERENCE = '#/components/schemas/'

/**
 * Keeps the schemas that an operation refers to, directly or through another schema: each shape is described twice, for
 * reading and for writing, and most shapes are used for only one of them.
 * @param schemas of a description, by name
 * @param usedBy the parts of the description that refer to schemas
 */
export function pruneSchemas(schemas: Record<string, unknown>, usedBy: readonly unknown[]): Record<string, unknown> {
  const used = new Set<string>()
  const pending = [...usedBy]
  for (const part of pending) {
    for (const name of schemaNamesIn(part)) {
      if (used.has(name)) continue
      used.add(name)
      pending.push(schemas[name])
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function schemaNamesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' && inner.startsWith(REFERENCE)
      ? [inner.slice(REFERENCE.length)]
      : schemaNamesIn(inner),
  )
}
