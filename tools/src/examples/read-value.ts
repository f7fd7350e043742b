/**
 * Reads a value from a reply.
 * @param at names of properties, and numbers in arrays
 * @throws when the reply has no such value
 */
export function valueAt(reply: unknown, ...at: readonly (string | number)[]): unknown {
  let value = reply
  for (const step of at) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
    if (value === undefined) throw new Error(`There is no ${at.join('.')} in ${JSON.stringify(reply).slice(0, 300)}`)
  }
  return value
}

/** Reads a string from a reply. @throws also when the value is not a string */
export function textAt(reply: unknown, ...at: readonly (string | number)[]): string {
  const value = valueAt(reply, ...at)
  if (typeof value !== 'string') throw new Error(`${at.join('.')} is not a string`)
  return value
}
