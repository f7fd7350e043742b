import { z } from 'zod'
import type { Product } from '@storefront/contracts'
import type { TestShop } from './shop.ts'

const Stocked = z.object({ variants: z.array(z.object({ inventory: z.number() })) })

/** The units of its first variant that can be sold. */
export async function unitsInStock({ admin }: Pick<TestShop, 'admin'>, { id }: Product): Promise<number> {
  const { body } = await admin.get(`/admin/products/${id}`)
  return Stocked.parse(body).variants[0]?.inventory ?? 0
}
