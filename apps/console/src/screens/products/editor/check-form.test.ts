import { init, t } from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import english from '../../../messages/en/products.json' with { type: 'json' }
import { checkForm } from './check-form.ts'
import type { Issues } from './issues.ts'
import { changesOf } from './product-changes.ts'
import { emptyForm, emptyVariant, type ProductForm, type VariantRow } from './product-form.ts'

const VALID = { ...emptyForm(), title: 'Linen shirt', price: '40' }

beforeAll(async () => {
  await init({ lng: 'en', resources: { en: { translation: english } } })
})

const check = (fields: Partial<ProductForm>, { isNew = false } = {}): Issues =>
  checkForm({ ...VALID, ...fields }, { currency: 'USD', isNew }, t)
const fit = (fields: Partial<ProductForm['fit']>) => ({ fit: { ...VALID.fit, ...fields } })
const madeOf = (...composition: ProductForm['fabric']['composition']) => ({ fabric: { ...VALID.fabric, composition } })
const promise = (label: string, note: string) => ({ assurances: [{ icon: 'check', label, note }] })
const saved = (fields: Partial<VariantRow>) => ({
  variants: [{ ...emptyVariant(), id: 'var_s', sku: 'SHIRT-S', stock: '3', ...fields }],
})

const NO_HEIGHT = { 'fit.model.height': 'Enter the height of the model, or clear the other fields about the model.' }
const NO_SIZE = { 'fit.model.size': 'Enter the size that the model wears, or clear the other fields about the model.' }

test.each<[string, Partial<ProductForm>, Issues]>([
  ['the size of the model without the height', fit({ modelSize: 'M' }), NO_HEIGHT],
  ['a model without any height', fit({ modelHeight: '0', modelSize: 'M' }), NO_HEIGHT],
  ['the height of the model without the size', fit({ modelHeight: '174' }), NO_SIZE],
  ['a sentence about the model alone', fit({ modelLabel: 'Ida wears S' }), { ...NO_HEIGHT, ...NO_SIZE }],
  [
    'a percentage without a material',
    madeOf({ material: 'Linen', percent: '60' }, { material: ' ', percent: '40' }),
    { 'fabric.composition.1.0': 'Enter the material, or remove it.' },
  ],
  [
    'a highlight without an attribute',
    { highlights: [{ key: '', value: 'Linen' }] },
    { 'enrichment.highlights.0.key': 'Choose an attribute, or remove the line.' },
  ],
  [
    'a specification without an attribute',
    { specs: [{ key: '', value: 'Linen' }] },
    { 'enrichment.specs.0.key': 'Choose an attribute, or remove the line.' },
  ],
  [
    'an attribute without a value',
    { specs: [{ key: 'material', value: '' }] },
    { 'enrichment.specs.0.value': 'Enter a value, or remove the line.' },
  ],
  [
    'two specifications with the same attribute',
    { specs: ['Linen', 'Cotton'].map((value) => ({ key: 'material', value })) },
    { 'enrichment.specs.1.key': 'There is already a line with this attribute.' },
  ],
  [
    'a text without its promise',
    promise('', 'Within 30 days'),
    { 'enrichment.assurances.0.label': 'Enter a heading, or remove the card.' },
  ],
  [
    'the location of a maker without a name',
    { maker: { name: '', location: 'Porto' } },
    { 'enrichment.maker.name': 'Enter who makes it, or clear the location.' },
  ],
  ['a saved variant without a SKU', saved({ sku: ' ' }), { 'variants.0.sku': 'Enter a SKU.' }],
  ['a saved variant without a stock', saved({ stock: '' }), { 'variants.0.inventory': 'Enter a whole number.' }],
  [
    'a saved product without a price, although its variant has one',
    { ...saved({ price: '45' }), price: '' },
    { price: 'Enter a price: variants without their own have it.' },
  ],
  [
    'a saved product without a price, although its variants are replaced by new ones that have one',
    { variants: [{ ...emptyVariant(), price: '45' }], price: '' },
    { price: 'Enter a price: variants without their own have it.' },
  ],
])('the field at fault reports %s', (_entry, fields, issues) => {
  expect(check(fields)).toEqual(issues)
})

test('complete entries are accepted, and all of them are sent', () => {
  const fields = {
    ...fit({ modelHeight: '174', modelSize: 'S', modelLabel: 'Ida is 174 cm and wears S' }),
    ...madeOf({ material: 'Linen', percent: '60' }, { material: 'Cotton', percent: '40' }),
    ...promise('Free returns', 'Within 30 days'),
    highlights: ['Linen', 'Cotton'].map((value) => ({ key: 'material', value })),
    specs: [
      { key: 'material', value: 'Linen' },
      { key: 'origin', value: 'Portugal' },
    ],
    maker: { name: 'The mill', location: 'Porto' },
  }
  expect(check(fields)).toEqual({})
  expect(changesOf({ ...VALID, ...fields }, VALID, 'USD')).toEqual({
    fit: { model: { height: 174, size: 'S', label: 'Ida is 174 cm and wears S' } },
    fabric: {
      composition: [
        ['Linen', 60],
        ['Cotton', 40],
      ],
    },
    enrichment: {
      highlights: [
        { key: 'material', value: 'Linen' },
        { key: 'material', value: 'Cotton' },
      ],
      assurances: [{ icon: 'check', label: 'Free returns', note: 'Within 30 days' }],
      maker: { name: 'The mill', location: 'Porto' },
      specs: { material: 'Linen', origin: 'Portugal' },
    },
  })
})

test('parts that may be missing are, and rows in which nothing is typed', () => {
  const fields = {
    ...fit({ modelHeight: '174', modelSize: 'S' }),
    ...madeOf({ material: '', percent: '' }),
    ...promise('Free returns', ''),
    highlights: [{ key: '', value: '' }],
    specs: ['', ''].map((value) => ({ key: '', value })),
    maker: { name: 'The mill', location: '' },
  }
  expect(check(fields)).toEqual({})
  expect(check(promise('', ''))).toEqual({})
})

test('a saved variant whose own price is cleared has that of the product again', () => {
  const before = { ...VALID, ...saved({ price: '45' }) }
  const cleared = { ...VALID, ...saved({ price: '' }) }
  expect(check(cleared)).toEqual({})
  expect(changesOf(cleared, before, 'USD')).toEqual({ variants: [{ id: 'var_s', price: null }] })
})

test('a new product may leave out its price beside that of a variant, and a new variant its SKU and stock', () => {
  expect(check({ price: '', variants: [{ ...emptyVariant(), price: '45' }] }, { isNew: true })).toEqual({})
})
