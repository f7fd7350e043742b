import type { Dashboard } from './task.ts'
import { createProduct } from './vendure/create-product.ts'
import { putOnSale } from './vendure/put-on-sale.ts'
import { refundLine } from './vendure/refund-line.ts'
import { connect } from './vendure/vendure-shop.ts'

/** Vendure's dashboard, which has no import; undefined without an address. */
export async function openVendure(env: NodeJS.ProcessEnv): Promise<Dashboard | undefined> {
  const url = env['VENDURE_URL']?.replace(/\/$/, '')
  if (!url) return undefined
  const vendure = await connect(url, {
    user: env['VENDURE_USER'] ?? 'superadmin',
    password: env['VENDURE_PASSWORD'] ?? 'superadmin',
  })
  return {
    name: 'Vendure',
    url: `${url}/dashboard`,
    tasks: {
      'Create a product with 12 variants and 4 pictures': (round) => createProduct(vendure, round),
      'Find an order by part of a name and refund one line': (round) => refundLine(vendure, round),
      'Put 50 products on sale': (round) => putOnSale(vendure, round),
    },
  }
}
