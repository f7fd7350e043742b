/** A JSON value; what a configuration document is made of. */
type Json = unknown

/** Where nothing is something else than not to say: without a threshold, a client that has one of its own would use it. */
const NULL_IS_A_VALUE = new Set(['commerce.freeShippingOver'])

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Merges a partial configuration into the stored one: objects deep, arrays and everything else replace
 * (specification, PATCH /admin/storefront). A key that is null is taken out, so that its default holds again.
 * @param place the keys that lead here, each followed by a dot
 */
export function mergeSettings(
  stored: Record<string, Json>,
  change: Record<string, Json>,
  place = '',
): Record<string, Json> {
  const merged = new Map(Object.entries(stored))
  for (const [key, value] of Object.entries(change)) {
    // No setting is called so, and assigned to an object it would be its prototype.
    if (value === undefined || key === '__proto__') continue
    if (value === null && !NULL_IS_A_VALUE.has(`${place}${key}`)) {
      merged.delete(key)
      continue
    }
    const before = merged.get(key)
    merged.set(key, isRecord(value) ? mergeSettings(isRecord(before) ? before : {}, value, `${place}${key}.`) : value)
  }
  return Object.fromEntries(merged)
}
