/** No value is longer: longer option values and tags are rejected. */
const MAX_VALUE_LENGTH = 100

/**
 * Splits the typed text of a filter. A comma separates values, unless it is part of one: the longest run between commas
 * that is an existing value is taken. A text that is not an existing value finds nothing.
 * @param typed values joined by commas, with or without white space around them
 * @param isListed whether listings have a value
 * @returns each value once
 */
export function valuesIn(typed: string, isListed: (value: string) => boolean): string[] {
  const parts = typed.split(',')
  const values = new Set<string>()
  for (let place = 0; place < parts.length;) {
    const { value, length } = longestListed(parts, place, isListed) ?? { value: parts[place]?.trim(), length: 1 }
    if (value) values.add(value)
    place += length
  }
  return [...values]
}

function longestListed(
  parts: readonly string[],
  start: number,
  isListed: (value: string) => boolean,
): { value: string; length: number } | undefined {
  let found: { value: string; length: number } | undefined
  let run = ''
  for (let length = 1; start + length <= parts.length; length++) {
    run += `${length === 1 ? '' : ','}${parts[start + length - 1] ?? ''}`
    const value = run.trim()
    if (value.length > MAX_VALUE_LENGTH) break
    if (value !== '' && isListed(value)) found = { value, length }
  }
  return found
}
