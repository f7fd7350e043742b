/** A variant by the values of its options, in the order in which the page shows the options. */
export interface Choosable {
  values: readonly string[]
  available: boolean
}

/** What is chosen for each option; `undefined` where nothing is yet. */
export type Selection = readonly (string | undefined)[]

export type ValueState = 'available' | 'sold-out' | 'absent'

/** @returns the variant with exactly these values */
export function chosenVariant<One extends Choosable>(variants: readonly One[], selection: Selection): One | undefined {
  return variants.find(({ values }) => values.every((value, option) => value === selection[option]))
}

/**
 * Whether a value can be bought with what is chosen for the options before it: a size in the chosen color.
 * @param option index of the option
 * @returns `absent` when there is no such variant at all
 */
export function stateOfValue(
  variants: readonly Choosable[],
  selection: Selection,
  option: number,
  value: string,
): ValueState {
  const candidates = variants.filter(
    ({ values }) =>
      values[option] === value &&
      values.every((one, index) => index >= option || selection[index] === undefined || selection[index] === one),
  )
  if (candidates.length === 0) return 'absent'
  return candidates.some(({ available }) => available) ? 'available' : 'sold-out'
}

/** A variant as the page describes it to its script. */
export interface ScriptVariant extends Choosable {
  id: string
  /** Id of its picture. */
  image: string
  /** Which of the page's templates shows its price. */
  price: number
  /** What there is to say about its stock. */
  hint: string
}
