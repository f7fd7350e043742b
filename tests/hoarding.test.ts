import { afterAll, beforeAll, expect, test } from 'vitest'
import { RedirectCheckout, type Product } from '@storefront/contracts'
import { amount, expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { stockOf, unitsOrdered } from './support/shop-balance.ts'
import { makeBuyers, retryUntilAvailable, type Buyer } from './support/buyers.ts'
import { setCheckout } from './support/set-checkout.ts'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'

const UNITS = 20
/** Unpaid checkouts of one address; in the long run the default, which is off in a shop that counts no requests. */
const PER_ADDRESS = amount({ quick: 50, long: 100 })
/** More than that limit. */
const BUYERS = amount({ quick: 60, long: 150 })
const LARGE = amount({ quick: 100, long: 200 })
/** Units in a cart of the hoarder, who may hold half of the stock: three carts are below that, a fourth exceeds it. */
const HOARDED = (LARGE * 15) / 100
/** What unpaid checkouts of all buyers may hold together. */
const UNPAID = (LARGE * 80) / 100
/** More than may take what is left of it. */
const HELPERS = amount({ quick: 36, long: 80 })

let shop: TestShop
let sale: Product
let large: Product

beforeAll(async () => {
  shop = await openShop({ env: { UNPAID_CHECKOUTS_PER_ADDRESS: String(PER_ADDRESS) } })
  await setCheckout(shop, { mode: 'redirect', provider: 'demo' })
  sale = await shop.stockProduct('flash', UNITS)
  large = await shop.stockProduct('large', LARGE)
})

afterAll(() => stopAfter(expectLedgerBalanced(shop), shop))

const variantOf = (product: Product) => product.variants[0]?.id ?? ''
const countOf = (codes: readonly unknown[], code: unknown) => codes.filter((each) => each === code).length
const codeOf = ({ status, body }: { status: number; body: unknown }) => (status === 200 ? 'page' : Object(body).code)

/**
 * Checks all carts out at once. On a busy machine a reservation may take too long: such a buyer gets 503, and retries.
 */
async function checkOutAll(buyers: readonly Buyer[]) {
  const replies = await Promise.all(
    buyers.map(({ client, cartId }) => retryUntilAvailable(() => client.checkOut(cartId))),
  )
  return replies.map(({ response }) => response)
}

async function pay(pageUrl: string): Promise<void> {
  const response = await fetch(`${pageUrl}/pay`, { method: 'POST', redirect: 'manual' })
  await response.arrayBuffer()
  expect(response.status).toBe(303)
}

test('a flash sale of twenty units sells all of them, even to buyers of one address who pay on a page', async () => {
  const buyers = await makeBuyers(shop, variantOf(sale), BUYERS)
  const responses = await checkOutAll(buyers)
  const codes = responses.map(codeOf)
  expect([countOf(codes, 'page'), countOf(codes, 'out_of_stock')]).toEqual([UNITS, BUYERS - UNITS])
  for (const { status, body } of responses) if (status === 200) await pay(RedirectCheckout.parse(body).url)
  await waitFor('all orders', async () => (await unitsOrdered(shop, variantOf(sale))) === UNITS)
  await waitFor('the sales', async () => (await stockOf(shop, variantOf(sale))).onHand === 0)
})

test('a buyer who begins checkouts without paying leaves stock for others, and paid goods are sold', async () => {
  const hoarder = shop.client()
  const carts = []
  for (let count = 0; count < 8; count++) carts.push((await hoarder.cartWith(variantOf(large), HOARDED)).id)
  const responses = []
  for (const id of carts) responses.push(await hoarder.checkOut(id))
  const codes = responses.map(codeOf)
  expect([countOf(codes, 'page'), countOf(codes, 'insufficient_inventory')]).toEqual([3, 5])
  expect(await stockOf(shop, variantOf(large))).toEqual({ onHand: LARGE, reserved: 3 * HOARDED })

  const small = shop.client()
  const ofOne = []
  for (let count = 0; count < 7; count++) ofOne.push((await small.cartWith(variantOf(large), 1)).id)
  const pages = []
  for (const id of ofOne) pages.push(await small.checkOut(id))
  expect(pages.map(codeOf)).toEqual([...Array.from({ length: 5 }, () => 'page'), 'rate_limited', 'rate_limited'])
  expect(pages.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/)

  // Other clients take all that unpaid checkouts may hold together, and not a unit more.
  const helpers = await makeBuyers(shop, variantOf(large), HELPERS)
  const helped = (await checkOutAll(helpers)).map(codeOf)
  const left = UNPAID - 3 * HOARDED - 5
  expect([countOf(helped, 'page'), countOf(helped, 'out_of_stock')]).toEqual([left, HELPERS - left])
  expect(await stockOf(shop, variantOf(large))).toEqual({ onHand: LARGE, reserved: UNPAID })

  // A held unit that is paid for is sold, even at the limit.
  await pay(RedirectCheckout.parse(pages[0]?.body).url)
  await waitFor('the order', async () => (await unitsOrdered(shop, variantOf(large))) === 1)
  await waitFor('the sale', async () => (await stockOf(shop, variantOf(large))).onHand === LARGE - 1)
})
