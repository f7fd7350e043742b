import type { ProductOption } from '@storefront/contracts'
import { namesOf, roleOfOption } from './product-options.ts'

/** The exact names of the two options by which the storefront's product page chooses a variant. */
const SIZE = 'Size'
const COLOR = 'Color'
/** Shown for a product without sizes or colors. */
const ONE_SIZE = 'One size'
const AS_SHOWN = 'As shown'
const SEPARATOR = ' / '

type Choice = Record<string, string>

export interface OptionedProduct {
  options: readonly ProductOption[]
  /** The options of each variant. */
  variants: readonly Choice[]
}

interface Shown {
  /** The value of each variant. */
  values: readonly string[]
  /** Values in the order of the option. Values of variants that it does not contain come last. */
  offered: readonly string[]
}

/**
 * Gives a product options by which a shopper can choose each of its variants. The product page reads only the options
 * `Color` and `Size`, and finds the first variant that has both of the chosen values. Both are therefore always
 * present, and no two variants agree in both of them: other options are merged into the size (docs/decisions/0048).
 * Options that the merchant named otherwise stay as well.
 */
export function choosableOptions({ options, variants }: OptionedProduct): {
  options: ProductOption[]
  variants: Choice[]
} {
  const names = [...new Set([...namesOf(options), ...variants.flatMap((variant) => Object.keys(variant))])]
  const valuesOf = new Map(options.map(({ name, values }) => [name, values]))
  const colorName = nameWithRole(names, COLOR, 'color')
  const sizeName = nameWithRole(names, SIZE, 'size')
  const colors = variants.map((variant) => valueOf(variant, colorName) ?? AS_SHOWN)
  const color: Shown = { values: colors, offered: valuesOf.get(colorName ?? '') ?? [] }
  const plainSizes = variants.map((variant) => valueOf(variant, sizeName) ?? ONE_SIZE)
  const folds = sizeName === undefined || hasTwins(colors, plainSizes)
  const folded = names.filter((name) => name !== colorName && name !== sizeName && varies(variants, name))
  const size: Shown = folds
    ? foldedSize({ variants, colors, valuesOf }, sizeName, folded)
    : { values: plainSizes, offered: valuesOf.get(sizeName) ?? [] }
  return {
    options: withOption(withOption(options, SIZE, size), COLOR, color),
    variants: variants.map((variant, index) => ({
      ...variant,
      [SIZE]: size.values[index] ?? ONE_SIZE,
      [COLOR]: color.values[index] ?? AS_SHOWN,
    })),
  }
}

/** The option with exactly this name, or else the first with its role. */
function nameWithRole(names: readonly string[], exact: string, role: 'size' | 'color'): string | undefined {
  return names.find((name) => name === exact) ?? names.find((name) => roleOfOption(name) === role)
}

function valueOf(variant: Choice, name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(variant, name) ? variant[name] : undefined
}

function varies(variants: readonly Choice[], name: string): boolean {
  return new Set(variants.map((variant) => valueOf(variant, name))).size > 1
}

function hasTwins(colors: readonly string[], sizes: readonly string[]): boolean {
  return new Set(colors.map((color, index) => JSON.stringify([color, sizes[index]]))).size < colors.length
}

/**
 * Sizes combined with the values that distinguish the variants, such as `M / Long`, in the order of the given options.
 */
function foldedSize(
  {
    variants,
    colors,
    valuesOf,
  }: { variants: readonly Choice[]; colors: readonly string[]; valuesOf: ReadonlyMap<string, string[]> },
  sizeName: string | undefined,
  others: readonly string[],
): Shown {
  const names = [...(sizeName === undefined ? [] : [sizeName]), ...others]
  const texts = variants.map((variant) => names.flatMap((name) => valueOf(variant, name) ?? []).join(SEPARATOR))
  const values = withoutTwins(
    colors,
    texts.map((text) => (text === '' ? ONE_SIZE : text)),
  )
  const places = variants.map((variant) =>
    names.map((name) => (valuesOf.get(name) ?? []).indexOf(valueOf(variant, name) ?? '')),
  )
  const offered = values
    .map((value, index) => ({ value, place: places[index] ?? [] }))
    .toSorted((one, other) => byPlaces(one.place, other.place))
    .map(({ value }) => value)
  return { values, offered }
}

function byPlaces(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((place, at) => place !== other[at])
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0)
}

/**
 * Numbers sizes that a color has twice, because variants are identical or their joined texts are.
 */
function withoutTwins(colors: readonly string[], sizes: readonly string[]): string[] {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return sizes.map((size, index) => {
    const keyOf = (text: string) => JSON.stringify([colors[index], text])
    let text = size
    for (let number = next.get(keyOf(size)) ?? 2; taken.has(keyOf(text)); number++) {
      text = `${size} (${number})`
      next.set(keyOf(size), number + 1)
    }
    taken.add(keyOf(text))
    return text
  })
}

/** Replaces the option of that name, or appends it. */
function withOption(options: readonly ProductOption[], name: string, { values, offered }: Shown): ProductOption[] {
  const option = { name, values: [...new Set([...offered, ...values])] }
  const hasOwn = options.some((each) => each.name === name)
  return hasOwn ? options.map((each) => (each.name === name ? option : each)) : [...options, option]
}
