/** A JSON value; what a configuration document is made of. */
type Json = unknown

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Merges a partial configuration into the stored one: objects deep, arrays and everything else replace
 * (specification, PATCH /admin/storefront).
 */
export function mergeSettings(stored: Record<string, Json>, change: Record<string, Json>): Record<string, Json> {
  const merged: Record<string, Json> = { ...stored }
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue
    const before = merged[key]
    merged[key] = isRecord(before) && isRecord(value) ? mergeSettings(before, value) : value
  }
  return merged
}
