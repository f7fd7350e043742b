/**
 * Finds fields of date and time in which a part is typed and a part is missing. A browser gives such a field no value,
 * as if it were empty.
 * @returns the message by the path of each field
 */
export function halfTypedTimes(within: ParentNode, message: string): Record<string, string> {
  const fields = [...within.querySelectorAll<HTMLInputElement>('input[type="datetime-local"]')]
  const half = fields.filter(({ validity }) => validity.badInput)
  return Object.fromEntries(half.map(({ dataset }) => [dataset['path'] ?? '', message]))
}
