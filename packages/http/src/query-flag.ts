/** @param value Of a parameter that accepts `1`, `true`, `0` and `false`. */
export function isFlagSet(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
