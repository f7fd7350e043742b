/** No value is longer: option values and tags are refused from here on. */
const MAX_VALUE_LENGTH = 100

/**
 * Takes apart what was typed into a filter. A comma separates values, unless it stands within one: of what is between
 * commas, the longest run that is a value as it was typed is taken for it. What is no value of anything finds nothing.
 * @param typed values joined by commas, with white space around them or not
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
