import type { TFunction } from 'i18next'
import { exampleAmount, MAX_UNITS, readAmount, readCount } from '../../../parts/amounts.ts'
import { numeral } from '../../../parts/formats.ts'
import type { Editor } from './editor-context.ts'
import type { Issues } from './issues.ts'
import { decimalOf, isFilled } from './product-changes.ts'
import type { Pair, ProductForm, VariantRow } from './product-form.ts'

/** What most often is missing or mistyped, in the language of the person. The shop checks everything again. */
export function checkForm(
  form: ProductForm,
  { currency, isNew }: Pick<Editor, 'currency' | 'isNew'>,
  t: TFunction,
): Issues {
  const issues: Record<string, string> = {}
  const report: Report = (path, isWrong, message) => {
    if (isWrong) issues[path] ??= message
  }

  const notAmount = t('products.check.amount', { example: exampleAmount(currency) })
  report('title', form.title.trim() === '', t('products.check.title'))
  report('slug', form.slug?.trim() === '', t('products.check.slug'))
  // The shop would keep the former price.
  report('price', !isNew && form.price.trim() === '', t('products.check.savedPrice'))
  const hasPrice = form.price.trim() !== '' || form.variants.some(({ price }) => price.trim() !== '')
  report('price', !hasPrice, t('products.check.price'))
  report('price', isWrongAmount(form.price, currency), notAmount)
  report('compareAtPrice', isWrongAmount(form.compareAtPrice, currency), notAmount)
  report('publishAt', form.publication === 'later' && form.publishAt === '', t('products.check.publishAt'))
  form.images.forEach(({ alt, upload }, index) => {
    report(`images.${index}.url`, upload?.failure !== undefined, t('products.check.upload'))
    report(`images.${index}.alt`, alt.trim() === '', t('products.check.alt'))
  })
  Object.assign(issues, checkVariants(form.variants, currency, t))
  checkOptions(form, report, t)
  report('fit.model.height', isWrongCount(form.fit.modelHeight), t('products.check.count'))
  report(
    'position',
    form.position.trim() !== '' && !/^-?\d{1,9}$/.test(form.position.trim()),
    t('products.check.count'),
  )
  const { composition, weight } = form.fabric
  report('fabric.weight', weight.trim() !== '' && Number.isNaN(decimalOf(weight)), t('products.check.number'))
  composition.forEach(({ material, percent }, index) => {
    const isWrong = material.trim() !== '' && Number.isNaN(decimalOf(percent))
    report(`fabric.composition.${index}`, isWrong, t('products.check.percent'))
  })
  checkHalves(form, report, t)
  return issues
}

/** The mistakes in the cells of the grid. */
export function checkVariants(rows: readonly VariantRow[], currency: string, t: TFunction): Issues {
  const issues: Record<string, string> = {}
  const notAmount = t('products.check.amount', { example: exampleAmount(currency) })
  const firstOf = new Map<string, number>()
  rows.forEach(({ id, price, compareAtPrice, stock, sku }, index) => {
    const isSaved = id !== undefined
    if (isWrongAmount(price, currency)) issues[`variants.${index}.price`] = notAmount
    if (isWrongAmount(compareAtPrice, currency)) issues[`variants.${index}.compareAtPrice`] = notAmount
    if (isWrongCount(stock) || (isSaved && stock.trim() === '')) {
      issues[`variants.${index}.inventory`] = t('products.check.count')
    }
    if ((readCount(stock) ?? 0) > MAX_UNITS) {
      issues[`variants.${index}.inventory`] = t('products.check.stock', { most: numeral(MAX_UNITS) })
    }
    const name = sku.trim()
    if (name === '') {
      if (isSaved) issues[`variants.${index}.sku`] = t('products.check.sku')
      return
    }
    if (firstOf.has(name)) issues[`variants.${index}.sku`] = t('products.check.skuTwice')
    else firstOf.set(name, index)
  })
  return issues
}

function isWrongAmount(text: string, currency: string): boolean {
  return text.trim() !== '' && readAmount(text, currency) === undefined
}

function isWrongCount(text: string): boolean {
  return text.trim() !== '' && readCount(text) === undefined
}

type Report = (path: string, isWrong: boolean, message: string) => void

function checkOptions({ options }: ProductForm, report: Report, t: TFunction): void {
  const names = options.map(({ name }) => name.trim())
  options.forEach(({ values }, index) => {
    const name = names[index] ?? ''
    report(`options.${index}.name`, name === '', t('products.check.optionName'))
    report(`options.${index}.name`, names.indexOf(name) !== index, t('products.check.optionTwice'))
    report(`options.${index}.values`, values.length === 0, t('products.check.optionValues'))
  })
}

/** The shop stores no half of these: what was typed would be lost. */
function checkHalves(
  { fit, fabric, highlights, specs, assurances, maker }: ProductForm,
  report: Report,
  t: TFunction,
): void {
  const hasModel = [fit.modelHeight, fit.modelSize, fit.modelLabel].some(isFilled)
  report('fit.model.height', hasModel && !readCount(fit.modelHeight), t('products.check.modelHeight'))
  report('fit.model.size', hasModel && !isFilled(fit.modelSize), t('products.check.modelSize'))
  fabric.composition.forEach(({ material, percent }, index) => {
    const isHalf = isFilled(percent) && !isFilled(material)
    report(`fabric.composition.${index}.0`, isHalf, t('products.check.material'))
  })
  checkPairs('enrichment.highlights', highlights, report, t)
  checkPairs('enrichment.specs', specs, report, t)
  const keys = specs.map(({ key }) => key)
  specs.forEach(({ key }, index) => {
    const isTwice = isFilled(key) && keys.indexOf(key) !== index
    report(`enrichment.specs.${index}.key`, isTwice, t('products.check.attributeTwice'))
  })
  assurances.forEach(({ label, note }, index) => {
    const isHalf = isFilled(note) && !isFilled(label)
    report(`enrichment.assurances.${index}.label`, isHalf, t('products.check.heading'))
  })
  report('enrichment.maker.name', isFilled(maker.location) && !isFilled(maker.name), t('products.check.makerName'))
}

/** @param path of the list in a request */
function checkPairs(path: string, pairs: readonly Pair[], report: Report, t: TFunction): void {
  pairs.forEach(({ key, value }, index) => {
    report(`${path}.${index}.key`, isFilled(value) && !isFilled(key), t('products.check.attribute'))
    report(`${path}.${index}.value`, isFilled(key) && !isFilled(value), t('products.check.value'))
  })
}
