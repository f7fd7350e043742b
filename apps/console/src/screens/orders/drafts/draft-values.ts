import { isSame } from '../../../parts/is-same.ts'
import type { DraftBody, DraftChange, ReadDraft } from './drafts-queries.ts'

export const ADDRESS_FIELDS = ['name', 'line1', 'line2', 'postalCode', 'city', 'region', 'phone'] as const
type AddressField = (typeof ADDRESS_FIELDS)[number] | 'country'

/** A line of the form, with what is shown of it. */
export interface LineValues {
  variantId: string
  /** Empty while it is being typed. */
  quantity: number | string
  title: string
  /** The chosen options, such as “Sand, M”; empty for a product without any. */
  options: string
  /** The variants of a product that was just picked; none for a stored line. */
  choices: readonly { value: string; label: string }[]
}

export interface DraftValues {
  email: string
  address: Record<AddressField, string>
  shippingMethod: string
  discountCode: string
  note: string
  lines: LineValues[]
  /** Of what was read; empty for a new one. */
  etag: string
}

export const NEW_DRAFT: DraftValues = {
  email: '',
  address: { name: '', line1: '', line2: '', postalCode: '', city: '', region: '', phone: '', country: '' },
  shippingMethod: '',
  discountCode: '',
  note: '',
  lines: [],
  etag: '',
}

export function valuesOf({ draft, etag }: ReadDraft): DraftValues {
  const { email, shippingAddress, shippingMethod, discountCode, note, lines, quote } = draft
  return {
    email,
    address: { ...NEW_DRAFT.address, ...shippingAddress },
    shippingMethod,
    discountCode,
    note,
    lines: lines.map(({ variantId, quantity }) => {
      const shown = quote.lines.find((line) => line.variantId === variantId)
      const options = Object.values(shown?.options ?? {}).join(', ')
      return { variantId, quantity, title: shown?.title ?? variantId, options, choices: [] }
    }),
    etag,
  }
}

/** @returns undefined while there is nothing to buy */
export function bodyOf({ lines, address, etag: _etag, ...values }: DraftValues): DraftBody | undefined {
  const pieces = new Map<string, number>()
  for (const { variantId, quantity } of lines)
    pieces.set(variantId, (pieces.get(variantId) ?? 0) + (Number(quantity) || 1))
  if (pieces.size === 0) return undefined
  return {
    ...values,
    shippingAddress: address,
    lines: Array.from(pieces, ([variantId, quantity]) => ({ variantId, quantity })),
  }
}

/** @returns what was changed; undefined while there is nothing to buy */
export function changesOf(before: DraftValues, after: DraftValues): DraftChange | undefined {
  const former = bodyOf(before)
  const wanted = bodyOf(after)
  if (!wanted) return undefined
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(value, former && Reflect.get(former, name))),
  )
}

/** What the price depends on: not whom it is for. */
export function pricedPartOf(values: DraftValues): DraftBody | undefined {
  const { region, country } = values.address
  const address = { ...NEW_DRAFT.address, region, country }
  const body = bodyOf({ ...values, email: '', note: '', address })
  return body && { ...body, discountCode: body.discountCode?.trim() ?? '' }
}
