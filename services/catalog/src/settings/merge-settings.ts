/** A JSON value of a configuration document. */
type Json = unknown

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Merges a partial configuration into the stored one: objects are merged deeply, and arrays and all other values are
 * replaced. Null is a value that means that a key is not set. DELETE /admin/storefront/:path removes a key.
 */
export function mergeSettings(stored: Record<string, Json>, change: Record<string, Json>): Record<string, Json> {
  const merged = new Map(Object.entries(stored))
  for (const [key, value] of Object.entries(change)) {
    // No setting has this name, and assigning it would set the prototype of the object.
    if (value === undefined || key === '__proto__') continue
    const before = merged.get(key)
    merged.set(key, isRecord(value) ? mergeSettings(isRecord(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

/**
 * Removes a key from a configuration.
 * @param path keys that lead to it, through objects
 * @returns the same configuration when the path does not exist
 */
export function withoutSetting(
  document: Record<string, Json>,
  [key, ...rest]: readonly string[],
): Record<string, Json> {
  if (key === undefined || !Object.hasOwn(document, key)) return document
  const { [key]: part, ...others } = document
  if (rest.length === 0) return others
  return isRecord(part) ? { ...document, [key]: withoutSetting(part, rest) } : document
}
