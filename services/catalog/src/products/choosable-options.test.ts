import { amount } from '@storefront/tools/testing'
import { array, assert, constantFrom, dictionary, property, record, uniqueArray, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choosableOptions, type OptionedProduct } from './choosable-options.ts'

const option = (name: string, ...values: string[]) => ({ name, values })

/** The variant that the product page finds for two chosen values: the first with exactly both. */
const found = (variants: readonly Record<string, string>[], color: string | undefined, size: string | undefined) =>
  variants.findIndex((variant) => variant['Color'] === color && variant['Size'] === size)

function expectReachable({ options, variants }: ReturnType<typeof choosableOptions>): void {
  const valuesOf = (name: string) => options.find((each) => each.name === name)?.values ?? []
  const reached = valuesOf('Color').flatMap((color) => valuesOf('Size').map((size) => found(variants, color, size)))
  expect(reached.filter((index) => index >= 0).toSorted((one, other) => one - other)).toEqual([...variants.keys()])
}

/** The options that the product page offers, and the variants where they are compared as well. */
type Offered = Pick<OptionedProduct, 'options'> & Partial<OptionedProduct>

const cases: [what: string, product: OptionedProduct, offered: Offered][] = [
  [
    'without options',
    { options: [], variants: [{}] },
    {
      options: [option('Size', 'One size'), option('Color', 'As shown')],
      variants: [{ Size: 'One size', Color: 'As shown' }],
    },
  ],
  [
    'with sizes alone',
    { options: [option('Size', 'S', 'M', 'L')], variants: [{ Size: 'S' }, { Size: 'M' }] },
    {
      options: [option('Size', 'S', 'M', 'L'), option('Color', 'As shown')],
      variants: [
        { Size: 'S', Color: 'As shown' },
        { Size: 'M', Color: 'As shown' },
      ],
    },
  ],
  [
    'with colors alone',
    { options: [option('Color', 'Navy', 'Sand')], variants: [{ Color: 'Navy' }, { Color: 'Sand' }] },
    {
      options: [option('Color', 'Navy', 'Sand'), option('Size', 'One size')],
      variants: [
        { Color: 'Navy', Size: 'One size' },
        { Color: 'Sand', Size: 'One size' },
      ],
    },
  ],
  [
    'with a material alone',
    { options: [option('Material', 'Linen', 'Wool')], variants: [{ Material: 'Wool' }, { Material: 'Linen' }] },
    {
      options: [option('Material', 'Linen', 'Wool'), option('Size', 'Linen', 'Wool'), option('Color', 'As shown')],
      variants: [
        { Material: 'Wool', Size: 'Wool', Color: 'As shown' },
        { Material: 'Linen', Size: 'Linen', Color: 'As shown' },
      ],
    },
  ],
  [
    'with a material that is the same everywhere',
    { options: [option('Material', 'Linen')], variants: [{ Material: 'Linen' }] },
    {
      options: [option('Material', 'Linen'), option('Size', 'One size'), option('Color', 'As shown')],
      variants: [{ Material: 'Linen', Size: 'One size', Color: 'As shown' }],
    },
  ],
  [
    'with two other options',
    {
      options: [option('Material', 'Linen', 'Wool'), option('Length', 'Short', 'Long')],
      variants: [
        { Material: 'Linen', Length: 'Long' },
        { Material: 'Linen', Length: 'Short' },
        { Material: 'Wool', Length: 'Long' },
      ],
    },
    {
      options: [
        option('Material', 'Linen', 'Wool'),
        option('Length', 'Short', 'Long'),
        option('Size', 'Linen / Short', 'Linen / Long', 'Wool / Long'),
        option('Color', 'As shown'),
      ],
    },
  ],
  [
    'with color and size',
    { options: [option('Color', 'Navy'), option('Size', 'M')], variants: [{ Color: 'Navy', Size: 'M' }] },
    { options: [option('Color', 'Navy'), option('Size', 'M')], variants: [{ Color: 'Navy', Size: 'M' }] },
  ],
  [
    'with color, size and length',
    {
      options: [option('Color', 'Navy'), option('Size', 'S', 'M'), option('Length', 'Short', 'Long')],
      variants: [
        { Color: 'Navy', Size: 'M', Length: 'Long' },
        { Color: 'Navy', Size: 'M', Length: 'Short' },
        { Color: 'Navy', Size: 'S', Length: 'Short' },
      ],
    },
    {
      options: [
        option('Color', 'Navy'),
        option('Size', 'S / Short', 'M / Short', 'M / Long'),
        option('Length', 'Short', 'Long'),
      ],
      variants: [
        { Color: 'Navy', Size: 'M / Long', Length: 'Long' },
        { Color: 'Navy', Size: 'M / Short', Length: 'Short' },
        { Color: 'Navy', Size: 'S / Short', Length: 'Short' },
      ],
    },
  ],
  [
    'whose lengths follow from color and size',
    {
      options: [option('Color', 'Navy'), option('Size', 'S', 'M'), option('Length', 'Short', 'Long')],
      variants: [
        { Color: 'Navy', Size: 'S', Length: 'Short' },
        { Color: 'Navy', Size: 'M', Length: 'Long' },
      ],
    },
    { options: [option('Color', 'Navy'), option('Size', 'S', 'M'), option('Length', 'Short', 'Long')] },
  ],
  [
    'whose options are spelled differently',
    { options: [option('Colour', 'Navy'), option('SIZE', 'M')], variants: [{ Colour: 'Navy', SIZE: 'M' }] },
    {
      options: [option('Colour', 'Navy'), option('SIZE', 'M'), option('Size', 'M'), option('Color', 'Navy')],
      variants: [{ Colour: 'Navy', SIZE: 'M', Size: 'M', Color: 'Navy' }],
    },
  ],
  [
    'with a variant without size and color',
    {
      options: [option('Color', 'Navy'), option('Size', 'M')],
      variants: [{ Color: 'Navy', Size: 'M' }, {}],
    },
    {
      options: [option('Color', 'Navy', 'As shown'), option('Size', 'M', 'One size')],
      variants: [
        { Color: 'Navy', Size: 'M' },
        { Size: 'One size', Color: 'As shown' },
      ],
    },
  ],
  [
    'with identical variants',
    { options: [], variants: [{}, {}, {}] },
    { options: [option('Size', 'One size', 'One size (2)', 'One size (3)'), option('Color', 'As shown')] },
  ],
]

describe('a product', () => {
  test.each(cases)('%s can be chosen on the product page', (_what, product, offered) => {
    const choosable = choosableOptions(product)
    expect(choosable).toMatchObject(offered)
    expect(choosable.options).toHaveLength(offered.options.length)
    expectReachable(choosable)
  })
})

test('every variant of any product is reachable, and keeps its other options', () => {
  const name = constantFrom(
    'Size',
    'size',
    'Color',
    'Colour',
    ' Color',
    'Material',
    'Length',
    'constructor',
    '__proto__',
  )
  const value = constantFrom('S', 'M', 'One size', 'As shown', 'S / M', 'S (2)', 'One size (2)', 'toString')
  const product: Arbitrary<OptionedProduct> = record({
    options: uniqueArray(record({ name, values: array(value, { maxLength: 4 }) }), {
      selector: (each) => each.name,
      maxLength: 5,
    }),
    variants: array(dictionary(name, value, { maxKeys: 5 }), { minLength: 1, maxLength: 12 }),
  })
  assert(
    property(product, ({ options, variants }) => {
      const choosable = choosableOptions({ options, variants })
      expectReachable(choosable)
      for (const [index, variant] of variants.entries()) {
        const { Size: _size, Color: _color, ...others } = variant
        expect(choosable.variants[index]).toMatchObject(others)
      }
      expect(choosable.options.length).toBeLessThanOrEqual(options.length + 2)
    }),
    { numRuns: amount({ quick: 160, long: 2000 }) },
  )
})

test('a thousand identical variants are distinguishable', () => {
  const { options } = choosableOptions({ options: [], variants: Array.from({ length: 1000 }, () => ({})) })
  expect(options[0]?.values).toHaveLength(1000)
})
