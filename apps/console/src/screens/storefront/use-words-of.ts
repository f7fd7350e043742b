import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import type { Difference, Step } from './differences.ts'
import { isUnset, listOf } from './document.ts'
import type { Field, FieldName } from './fields.ts'
import { SECTIONS } from './sections.ts'

const LONGEST = 120
/** 100 percent; the shop stores rates in basis points. */
const WHOLE_BASIS_POINTS = 10_000

interface Known {
  label: FieldName
  kind: Field['kind']
}

/** Fields by their paths, without the items of lists between the names. */
const KNOWN = new Map<string, Known>()
for (const { fields } of SECTIONS) for (const field of fields) register(field, '')

function register(field: Field, prefix: string): void {
  const path = prefix + field.path
  KNOWN.set(path, { label: field.label, kind: field.kind })
  if (field.kind !== 'list') return
  for (const item of [...field.templates.map((template) => template.item), {}]) {
    for (const each of field.fieldsOf(item)) register(each, `${path}.`)
  }
}

/** @returns names a value by its path with dots */
export function useLabelOf(): (path: string) => string {
  const { t } = useTranslation()
  return (path) => {
    const known = KNOWN.get(path)
    return known ? t(`storefront.field.${known.label}`) : path
  }
}

/** @returns names a value as the form does, with the places of items in lists: `Shipping methods (2) › Price` */
export function usePlaceOf(): (path: string) => string {
  const { t } = useTranslation()
  return (path) => {
    const words: string[] = []
    const names: string[] = []
    for (const step of path.split('.')) {
      const isItem = /^\d+$/.test(step)
      if (!isItem) names.push(step)
      const known = KNOWN.get(names.join('.'))
      if (isItem) words.push(`${words.pop() ?? ''} (${Number(step) + 1})`)
      else if (known) words.push(t(`storefront.field.${known.label}`))
    }
    return words.length === 0 ? path : words.join(' › ')
  }
}

/** @returns describes a difference in a sentence */
export function useWordsOf(currency: string): (difference: Difference) => string {
  const { t } = useTranslation()
  const placeOf = (steps: readonly Step[]): string => {
    const words: string[] = []
    const path: string[] = []
    for (const step of steps) {
      if ('item' in step) {
        words.push(`“${shortened(step.item === '' ? t('storefront.unnamed') : step.item)}”`)
        continue
      }
      path.push(step.name)
      const known = KNOWN.get(path.join('.'))
      if (known) words.push(t(`storefront.field.${known.label}`))
    }
    const last = steps.at(-1)
    if (last && 'name' in last && !KNOWN.has(path.join('.'))) words.push(path.join('.'))
    return words.join(' › ')
  }
  return (difference) => {
    const { kind, steps } = difference
    const place = placeOf(steps)
    if (kind !== 'changed') return t(`storefront.difference.${kind}`, { place })
    const path = steps.flatMap((step) => ('name' in step ? [step.name] : [])).join('.')
    const fieldKind = KNOWN.get(path)?.kind
    const before = inWords(difference.before, fieldKind)
    const after = inWords(difference.after, fieldKind)
    if (before === '') return t('storefront.difference.set', { place, after })
    if (after === '') return t('storefront.difference.unset', { place, before })
    return t('storefront.difference.changed', { place, before, after })
  }

  function inWords(value: unknown, kind: Field['kind'] | undefined): string {
    if (isUnset(value) || value === '') return ''
    if (typeof value === 'boolean') return value ? t('storefront.yes') : t('storefront.no')
    if (typeof value === 'number' && kind === 'money') return formatMoney({ amount: value, currency })
    if (typeof value === 'number' && kind === 'percent') {
      const options = { style: 'percent', maximumFractionDigits: 2 } as const
      return new Intl.NumberFormat(i18next.language, options).format(value / WHOLE_BASIS_POINTS)
    }
    if (typeof value === 'string') return shortened(value)
    return shortened(Array.isArray(value) ? listOf(value).join(' · ') : JSON.stringify(value))
  }
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
