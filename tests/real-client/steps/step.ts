import type { Adapter } from '../adapter.ts'
import type { ConnectionOptions } from '../connection.ts'
import {
  ApiFailure,
  check,
  ContractFailure,
  isObject,
  itemsOf,
  listAt,
  objectAt,
  textAt,
  type Json,
} from '../replies.ts'

export interface StepOptions extends ConnectionOptions {
  adminEmail: string
  adminPassword: string
  /** A small picture. */
  picture: Blob
  /** Lets the buyer pay in the window of the provider. @returns the data that this window passes to the page */
  payAtRazorpay: (razorpayOrderId: string) => Promise<Json>
  /** The public half of the key, as the merchant enters it. */
  razorpayKeyId: string
}

export type Steps = readonly (readonly [name: string, run: () => Promise<void>])[]

export const ADDRESS = {
  name: 'Ada Lovelace',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  region: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '',
}

/**
 * The picker of the product page: it chooses the first value of the option Color, lets the shopper choose one of the
 * option Size, and takes the variant that has both.
 */
export function pickEveryVariant(product: Json): void {
  const options = listAt(product['options'], 'options').filter(isObject)
  const variants = listAt(product['variants'], 'variants').filter(isObject)
  const valuesOf = (name: string) => listAt(options.find((option) => option['name'] === name)?.['values'] ?? [], name)
  const colors = valuesOf('Color')
  const reached = new Set<unknown>()
  for (const color of colors.length > 0 ? colors : [null]) {
    for (const size of valuesOf('Size')) {
      const picked = variants.find((variant) => {
        const chosen = objectAt(variant['options'], 'variant.options')
        return chosen['Color'] === color && chosen['Size'] === size
      })
      if (picked) reached.add(picked['id'])
    }
  }
  const missed = variants.filter(({ id }) => !reached.has(id))
  check(missed.length === 0, `the picker of ${String(product['slug'])}`, 'every variant', missed)
}

export async function buyable(shop: Adapter): Promise<string> {
  for (const product of itemsOf(await shop.listProducts({ in_stock: true, per_page: 12 }), 'products')) {
    const variants = listAt(product['variants'], 'variants').filter(isObject)
    const plenty = variants.find((variant) => Number(variant['inventory']) > 3)
    if (plenty) return textAt(plenty['id'], 'variant.id')
  }
  throw new ContractFailure('GET /products?in_stock=true', 'a variant with stock', null)
}

export async function failureOf(call: () => Promise<unknown>): Promise<ApiFailure> {
  try {
    await call()
  } catch (error) {
    if (error instanceof ApiFailure) return error
    throw error
  }
  throw new ContractFailure('a call that has to fail', 'an error', 'success')
}

export async function fails(call: () => Promise<unknown>, status: number, code: string): Promise<void> {
  const failure = await failureOf(call)
  check(failure.status === status && failure.code === code, 'an error', `${status} ${code}`, failure.message)
}
