import {
  columnNames,
  CSV_FIELDS,
  type CsvAttributes,
  type CsvChoices,
  type CsvColumns,
  type CsvTarget,
} from '@storefront/contracts/product-csv'

/** What the columns become, by their positions. */
export type CsvTargets = ReadonlyMap<number, CsvTarget>

export function targetsOf({ places, metafields }: CsvColumns): CsvTargets {
  const targets = new Map<number, CsvTarget>()
  for (const [column, index] of places) targets.set(index, column)
  for (const { index, goesTo } of metafields) targets.set(index, goesTo === 'care' ? 'care' : `specs.${goesTo.spec}`)
  return targets
}

/** Everything that a column may mean. */
export function allTargets(attributes: CsvAttributes): CsvTarget[] {
  return [
    ...CSV_FIELDS.map(([column]) => column),
    'care',
    ...attributes.map(({ key }): CsvTarget => `specs.${key}`).filter((target) => target !== 'specs.care-instructions'),
  ]
}

/**
 * The choices with another one.
 * @param own what the column means by its own name
 * @param target undefined to leave the column out
 */
export function withChoice(
  choices: CsvChoices,
  name: string,
  own: CsvTarget | undefined,
  target: CsvTarget | undefined,
): CsvChoices {
  const next = new Map(choices)
  if (target === own) next.delete(name)
  else next.set(name, target ?? null)
  return next
}

/** Files with the same names of columns, in the same order, have the same text. */
export function headerKey(header: readonly string[]): string {
  return columnNames(header).join('\n')
}
