import { setTimeout } from 'node:timers/promises'
import { openGround } from './ground.ts'
import { describeMachine } from './machine.ts'
import { Shopper } from './shopper.ts'
import { markdownTable } from './table.ts'

const BUYERS = 200
const UNITS = 20
const PAGE_TRIES = 20
const PAGE_PAUSE_MS = 100

interface Sale {
  orders: number
  rejections: number
  others: number
  unitsLeft: number
  slowestOrderMs: number
  slowestErrorMs: number
}

/** Two hundred buyers check out at the same moment, with twenty units in stock. */
export async function benchFlashSale({ rounds }: { rounds: number }): Promise<void> {
  const opened = await openGround({ edgeCache: true })
  const { shop } = opened.ground
  try {
    // Warms the services, as a shop is that has been open for a while.
    await sell(shop.url, await opened.addProduct('flash-sale-warm', UNITS))
    const sales: Sale[] = []
    for (let round = 1; round <= rounds; round++) {
      sales.push(await sell(shop.url, await opened.addProduct(`flash-sale-${round}`, UNITS)))
      console.error(`flash sale: round ${round} of ${rounds}`)
    }
    console.log(describeMachine())
    console.log(
      markdownTable(
        ['round', 'orders', 'rejected', 'anything else', 'units left', 'slowest order ms', 'slowest rejection ms'],
        sales.map((sale, index) => [
          String(index + 1),
          String(sale.orders),
          String(sale.rejections),
          String(sale.others),
          String(sale.unitsLeft),
          sale.slowestOrderMs.toFixed(0),
          sale.slowestErrorMs.toFixed(0),
        ]),
      ),
    )
  } finally {
    await opened.close()
  }
}

async function sell(url: string, { slug, variantId }: { slug: string; variantId: string }): Promise<Sale> {
  const shopper = new Shopper(url, BUYERS)
  const carts: string[] = []
  for (let buyer = 0; buyer < BUYERS; buyer++) {
    const { id } = await shopper.createCart()
    await shopper.addLine(id, variantId)
    carts.push(id)
  }
  const responses = await Promise.all(
    carts.map(async (cartId) => {
      const began = performance.now()
      const { status, body } = await shopper.tryToCheckOut(cartId)
      return { status, code: Object(body).code, ms: performance.now() - began }
    }),
  )
  await shopper.close()
  const orders = responses.filter(({ status }) => status === 200)
  const errors = responses.filter(({ status, code }) => status === 409 && code === 'out_of_stock')
  const slowest = (some: { ms: number }[]) => Math.max(0, ...some.map(({ ms }) => ms))
  return {
    orders: orders.length,
    rejections: errors.length,
    others: responses.length - orders.length - errors.length,
    unitsLeft: await unitsLeft(url, slug),
    slowestOrderMs: slowest(orders),
    slowestErrorMs: slowest(errors),
  }
}

/** The stock on the product page, which may be a quarter of a second behind (docs/decisions/0005). */
async function unitsLeft(url: string, slug: string): Promise<number> {
  const reader = new Shopper(url, 1)
  try {
    for (let tries = 1; ; tries++) {
      const units = await reader.inventory(slug)
      if (units === 0 || tries === PAGE_TRIES) return units
      await setTimeout(PAGE_PAUSE_MS)
    }
  } finally {
    await reader.close()
  }
}
