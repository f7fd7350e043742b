import { useCallback, useMemo, useState } from 'react'
import type { ReadProduct } from '../products-queries.ts'
import { isSame } from '../../../parts/is-same.ts'
import { emptyForm, formOf, type ProductForm } from './product-form.ts'

export type Change = (update: (form: ProductForm) => Partial<ProductForm>) => void

/** What the editor began with: a version of the product, or nothing for a new one. */
export interface Start {
  read: ReadProduct | undefined
  before: ProductForm
}

function startOf(read: ReadProduct | undefined): Start {
  return { read, before: read ? formOf(read.product) : emptyForm() }
}

export interface ProductFormState extends Start {
  form: ProductForm
  isDirty: boolean
  change: Change
  /** Begins with another version, and shows its form or the one that `form` makes of the current form. */
  restart: (read: ReadProduct, form?: (current: ProductForm) => ProductForm) => void
  discard: () => void
}

/** The state of the form. A newer version of the product is adopted while nothing is changed here. */
export function useProductForm(newest: ReadProduct | undefined): ProductFormState {
  const [start, setStart] = useState(() => startOf(newest))
  const [form, setForm] = useState(start.before)
  const isDirty = useMemo(() => isChanged(form, start.before), [form, start.before])

  const change = useCallback<Change>((update) => setForm((current) => ({ ...current, ...update(current) })), [])
  const restart = useCallback<ProductFormState['restart']>((read, formOn) => {
    const next = startOf(read)
    setStart(next)
    setForm((current) => formOn?.(current) ?? next.before)
  }, [])

  const [seen, setSeen] = useState(newest)
  if (newest !== seen) {
    setSeen(newest)
    if (newest && start.read && isNewer(newest, start.read) && !isDirty) restart(newest)
  }

  return { ...start, form, isDirty, change, restart, discard: () => setForm(start.before) }
}

/** Whether one version of a product, or of its stock, is newer than another: a late response may be an older one. */
function isNewer(one: ReadProduct, other: ReadProduct): boolean {
  const [version = 0, stock = 0] = numbersOf(one.etag)
  const [otherVersion = 0, otherStock = 0] = numbersOf(other.etag)
  return version > otherVersion || (version === otherVersion && stock > otherStock)
}

/** A tag has the version of the product, and that of its stock: `"7.12"`. */
function numbersOf(etag: string): number[] {
  return (etag.match(/\d+/g) ?? []).map(Number)
}

/** Whether anything was typed, even if it cannot be sent as it is: it must not get lost. */
function isChanged(form: ProductForm, before: ProductForm): boolean {
  return Object.entries(form).some(([name, value]) => {
    const began: unknown = Reflect.get(before, name)
    return value !== began && !isSame(value, began)
  })
}
