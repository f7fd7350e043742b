import { emptyVariant, type OptionRow, type VariantRow } from './product-form.ts'

type Choice = Readonly<Record<string, string>>

/**
 * The options that make variants: those with values. While one has no name, or that of another, its key stands for the
 * name: its variants must stay until the name is typed. The editor reports such names.
 */
export function usableOptions(options: readonly OptionRow[]): OptionRow[] {
  const usable = options.filter(({ values }) => values.length > 0)
  const names = usable.map(({ name }) => name.trim())
  return usable.map((option, index) => {
    const name = names[index] ?? ''
    return name === '' || names.indexOf(name) < index ? { ...option, name: option.key } : option
  })
}

/** How many variants the options make. */
export function combinationCount(options: readonly OptionRow[]): number {
  return usableOptions(options).reduce((count, { values }) => count * values.length, 1)
}

/** Every combination of the values, in their order: the last option changes first. */
function combinationsOf(options: readonly OptionRow[]): Choice[] {
  return usableOptions(options).reduce<Choice[]>(
    (choices, { name, values }) =>
      choices.flatMap((choice) => values.map((value) => ({ ...choice, [name.trim()]: value }))),
    [{}],
  )
}

/** A choice as text that is the same for the same choice, whatever its order. */
export function choiceKey(choice: Choice): string {
  return JSON.stringify(Object.entries(choice).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** A choice as a merchant reads it: `Navy / M`. */
export function choiceLabel(choice: Choice, options: readonly OptionRow[]): string {
  return usableOptions(options)
    .map(({ name }) => choice[name.trim()] ?? '–')
    .join(' / ')
}

/**
 * The variants after a change of the options. Variants whose values are still offered keep their ids and what was
 * typed. Combinations with a new value are added; those that were not offered before stay away.
 * @param saved the variants that the product has in the shop
 */
export function changedRows(
  rows: readonly VariantRow[],
  before: readonly OptionRow[],
  after: readonly OptionRow[],
  saved: readonly VariantRow[],
): VariantRow[] {
  const kept = keptRows(rows, before, after)
  const added = rowMaker([...kept.values()], saved)
  const offered = new Set(usableOptions(before).flatMap(({ key, values }) => values.map((value) => `${key} ${value}`)))
  const isNew = (choice: Choice): boolean =>
    usableOptions(after).some(({ key, name }) => !offered.has(`${key} ${choice[name.trim()] ?? ''}`))
  return combinationsOf(after).flatMap((choice) => {
    const row = kept.get(choiceKey(choice))
    if (row) return [row]
    return isNew(choice) || kept.size === 0 ? [added(choice)] : []
  })
}

/** Makes rows of combinations, or finds the saved variants that have them. */
function rowMaker(kept: readonly VariantRow[], saved: readonly VariantRow[]): (choice: Choice) => VariantRow {
  const removed = removedRows(kept, saved)
  return (choice) => removed.get(choiceKey(choice)) ?? emptyVariant(choice)
}

/**
 * The saved variants that were removed, by their choices. A new row with such a choice is that variant again: the shop
 * would match them by their options, and give the new row its stock, SKU and price.
 */
function removedRows(kept: readonly VariantRow[], saved: readonly VariantRow[]): ReadonlyMap<string, VariantRow> {
  const ids = new Set(kept.map(({ id }) => id))
  return new Map(saved.filter(({ id }) => !ids.has(id)).map((row) => [choiceKey(row.options), row]))
}

/** The variants that stay, by their choices. One that had no value of a new option gets the first. */
function keptRows(
  rows: readonly VariantRow[],
  before: readonly OptionRow[],
  after: readonly OptionRow[],
): Map<string, VariantRow> {
  const nameBefore = new Map(usableOptions(before).map(({ key, name }) => [key, name.trim()]))
  const kept = new Map<string, VariantRow>()
  for (const row of rows) {
    const choice = Object.fromEntries(
      usableOptions(after).map(({ key, name, values }) => [
        name.trim(),
        row.options[nameBefore.get(key) ?? ''] ?? values[0] ?? '',
      ]),
    )
    const isOffered = usableOptions(after).every(({ name, values }) => values.includes(choice[name.trim()] ?? ''))
    const key = choiceKey(choice)
    // The first one wins where variants become the same.
    if (isOffered && !kept.has(key)) kept.set(key, { ...row, options: choice })
  }
  return kept
}

/**
 * The variants after one value of an option got another name.
 * @param given.saved the variants that the product has in the shop
 */
export function renamedRows(
  rows: readonly VariantRow[],
  given: { option: string; value: string; renamed: string; saved: readonly VariantRow[] },
): VariantRow[] {
  const name = given.option.trim()
  const removed = removedRows(rows, given.saved)
  return rows.map((row) => {
    if (row.options[name] !== given.value) return row
    const options = { ...row.options, [name]: given.renamed }
    const returned = row.id === undefined ? removed.get(choiceKey(options)) : undefined
    return returned ?? { ...row, options }
  })
}

export function missingCombinations(rows: readonly VariantRow[], options: readonly OptionRow[]): Choice[] {
  const offered = new Set(rows.map((row) => choiceKey(row.options)))
  return combinationsOf(options).filter((choice) => !offered.has(choiceKey(choice)))
}

/**
 * The variants with those of all missing combinations, in the order of the values. Variants that lack an option, as
 * programs may save them, come last.
 * @param saved the variants that the product has in the shop
 */
export function completedRows(
  rows: readonly VariantRow[],
  options: readonly OptionRow[],
  saved: readonly VariantRow[],
): VariantRow[] {
  const known = Map.groupBy(rows, (row) => choiceKey(row.options))
  const added = rowMaker(rows, saved)
  const completed = combinationsOf(options).flatMap((choice) => known.get(choiceKey(choice)) ?? [added(choice)])
  const placed = new Set(completed)
  return [...completed, ...rows.filter((row) => !placed.has(row))]
}
