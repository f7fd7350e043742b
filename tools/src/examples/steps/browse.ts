import { z } from 'zod'
import { textAt } from '../read-value.ts'
import { SHIRT, client, type StepContext } from './context.ts'

/** Public pages and lists of a storefront. */
export async function browse({ recorder }: StepContext): Promise<void> {
  const caller = client()
  const path = { slug: SHIRT }
  await recorder.call(caller, 'GET /bootstrap', { show: withOneRail })
  await recorder.call(caller, 'GET /storefront')
  await recorder.call(caller, 'GET /attributes')
  await recorder.call(caller, 'GET /size-charts')
  await recorder.call(caller, 'GET /categories', { query: { tree: '1' } })
  await recorder.call(caller, 'GET /collections')
  const query = { category: 'women', sizes: 'M,L', in_stock: '1', sort: 'price-asc', per_page: '2' }
  await recorder.call(caller, 'GET /products', { query })
  await recorder.call(caller, 'GET /search/suggest', { query: { q: 'linen sh', limit: '2' } })
  const shirt = await recorder.call(caller, 'GET /products/{slug}', { path })
  await recorder.call(caller, 'GET /products/{slug}/related', { path, query: { limit: '2' } })
  await recorder.call(caller, 'GET /products/{slug}/reviews', { path, query: { per_page: '2' } })
  await recorder.call(caller, 'GET /delivery-estimate', { query: { method: 'express', country: 'GB' } })
  const picture = new URL(textAt(shirt, 'images', 0, 'url')).pathname.replace(/^.*\/media\//, '')
  await recorder.call(caller, 'GET /media/{*}', { path: { '*': picture } })
  await recorder.call(caller, 'GET /.well-known/jwks.json')
}

/** A page of products for each rail would hide the other parts of the example. */
function withOneRail(bootstrap: unknown): unknown {
  const { rails, ...others } = z.looseObject({ rails: z.record(z.string(), z.array(z.unknown())) }).parse(bootstrap)
  const [first] = Object.entries(rails)
  return { ...others, rails: first ? { [first[0]]: first[1].slice(0, 1) } : {} }
}
