import { isSame } from '../../parts/is-same.ts'
import { localTime, utcTime } from '../../parts/local-time.ts'
import type { EnteredAmount } from '../../parts/money-input.tsx'
import type { Discount, DiscountSave } from './discounts-queries.ts'

/** The form: texts as they are typed, times as a browser's input of date and time has them. */
export interface DiscountValues {
  code: string
  kind: Discount['kind']
  /** Percent, or an amount. */
  worth: EnteredAmount
  label: string
  active: boolean
  startsAt: string
  endsAt: string
  minSubtotal: EnteredAmount
  usageLimit: number | string
  perCustomerLimit: number | string
  categories: string[]
  products: string[]
}

export const NEW_DISCOUNT: DiscountValues = {
  code: '',
  kind: 'percent',
  worth: '',
  label: '',
  active: true,
  startsAt: '',
  endsAt: '',
  minSubtotal: '',
  usageLimit: '',
  perCustomerLimit: '',
  categories: [],
  products: [],
}

export function valuesOf(discount: Discount): DiscountValues {
  const { kind, value, minSubtotal } = discount
  return {
    code: discount.code,
    kind,
    worth: kind === 'shipping' ? '' : value,
    label: discount.label ?? '',
    active: discount.active,
    startsAt: localTime(discount.startsAt),
    endsAt: localTime(discount.endsAt),
    minSubtotal: minSubtotal ?? '',
    usageLimit: discount.usageLimit ?? '',
    perCustomerLimit: discount.perCustomerLimit ?? '',
    categories: discount.categories ?? [],
    products: discount.products ?? [],
  }
}

/**
 * What to send: all fields of a new discount, and of an existing one those that were changed, so that what others
 * changed meanwhile stays.
 */
export function bodyOf(values: DiscountValues, before: DiscountValues | undefined): DiscountSave {
  const after = fieldsOf(values)
  if (!before) return Object.assign({ code: codeOf(values) }, withoutNull(after))
  const former = fieldsOf(before)
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, Reflect.get(former, name)))
  // A kind and its value belong together.
  const worth = changed.some(([name]) => name === 'kind') ? { value: after.value } : {}
  return Object.assign({ code: codeOf(values) }, Object.fromEntries(changed), worth)
}

/** As the shop stores it. */
export function codeOf({ code }: DiscountValues): string {
  return code.trim().toUpperCase()
}

type Fields = Required<Omit<DiscountSave, 'code'>>

function fieldsOf(values: DiscountValues): Fields {
  const { kind, worth } = values
  return {
    kind,
    value: kind === 'shipping' ? 0 : Number(worth),
    label: values.label.trim() === '' ? null : values.label.trim(),
    active: values.active,
    startsAt: utcTime(values.startsAt),
    endsAt: utcTime(values.endsAt),
    minSubtotal: values.minSubtotal === '' ? null : Number(values.minSubtotal),
    usageLimit: values.usageLimit === '' ? null : Number(values.usageLimit),
    perCustomerLimit: values.perCustomerLimit === '' ? null : Number(values.perCustomerLimit),
    categories: values.categories.length === 0 ? null : values.categories,
    products: values.products.length === 0 ? null : values.products,
  }
}

function withoutNull(fields: Fields): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
