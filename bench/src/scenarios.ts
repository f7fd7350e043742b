import { openMessaging, sendRequest } from '@storefront/messaging'
import { createLog } from '@storefront/service'
import { newId, ReserveInventory } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { loadPaths } from './http-load.ts'
import { keepBusy, type Measurement } from './measure.ts'
import { Shopper } from './shopper.ts'

/** A shop under load. */
export interface Target {
  url: string
  /** NATS, as the service orders connects to it. */
  natsUrl: string
  slugs: string[]
  variantIds: string[]
  /** One variant with more stock than any round can sell. */
  hotVariantId: string
}

export interface Ground extends Target {
  shop: RunningShop
}

export interface Scenario {
  name: string
  /** What one of the counted things is. */
  unit: string
  /** Operations a second. */
  targetRate: number
  edgeCache: boolean
  run: (target: Target, seconds: number) => Promise<Measurement>
}

const CONNECTIONS = 32

/** Lists as shoppers request them: pages, sorts and categories. */
const LISTS = [
  '/products',
  '/products?page=2',
  '/products?sort=newest',
  '/products?sort=price-asc',
  '/products?per_page=24',
]

export const SCENARIOS: readonly Scenario[] = [
  { name: 'list, from the edge cache', unit: 'requests', targetRate: 15_000, edgeCache: true, run: readLists },
  { name: 'product, from the edge cache', unit: 'requests', targetRate: 15_000, edgeCache: true, run: readProducts },
  { name: 'list, without the edge cache', unit: 'requests', targetRate: 1500, edgeCache: false, run: readLists },
  { name: 'product, without the edge cache', unit: 'requests', targetRate: 1500, edgeCache: false, run: readProducts },
  { name: 'cart flow', unit: 'cart calls', targetRate: 3000, edgeCache: true, run: cartFlow },
  { name: 'checkout flow', unit: 'checkouts', targetRate: 400, edgeCache: true, run: checkoutFlow },
  { name: 'hot variant, 64 callers', unit: 'reservations', targetRate: 5000, edgeCache: true, run: hotVariant },
]

function readLists({ url }: Target, seconds: number): Promise<Measurement> {
  return loadPaths(url, LISTS, { connections: CONNECTIONS, seconds })
}

function readProducts({ url, slugs }: Target, seconds: number): Promise<Measurement> {
  const paths = slugs.map((slug) => `/products/${slug}`)
  return loadPaths(url, paths, { connections: CONNECTIONS, seconds })
}

/** Six calls a turn: create, add, add another, change, read, remove. Each call counts. */
async function cartFlow({ url, variantIds }: Target, seconds: number): Promise<Measurement> {
  const shopper = new Shopper(url, CONNECTIONS)
  const states = Array.from({ length: CONNECTIONS }, () => ({ step: 0, cartId: '', lineId: '' }))
  const variant = (index: number) => variantIds[index % variantIds.length] ?? ''
  const measured = await keepBusy(CONNECTIONS, seconds, async (caller, turn) => {
    const state = states[caller]
    if (!state) throw new Error('no such caller')
    const step = state.step
    state.step = (step + 1) % 6
    if (step === 0) state.cartId = (await shopper.createCart()).id
    else if (step === 1) state.lineId = (await shopper.addLine(state.cartId, variant(caller + turn))).lines[0]?.id ?? ''
    else if (step === 2) await shopper.addLine(state.cartId, variant(caller + turn + 7))
    else if (step === 3) await shopper.call('PATCH', `/carts/${state.cartId}/lines/${state.lineId}`, { quantity: 2 })
    else if (step === 4) await shopper.call('GET', `/carts/${state.cartId}`)
    else await shopper.call('DELETE', `/carts/${state.cartId}/lines/${state.lineId}`)
  })
  await shopper.close()
  return measured
}

/** A whole guest purchase a turn: create a cart, add a line, check out. */
async function checkoutFlow({ url, variantIds }: Target, seconds: number): Promise<Measurement> {
  const callers = 16
  const shopper = new Shopper(url, callers)
  const measured = await keepBusy(callers, seconds, async (caller, turn) => {
    const { id } = await shopper.createCart()
    // A prime, so that callers at the same turn buy variants that are far apart.
    await shopper.addLine(id, variantIds[(caller * 7919 + turn) % variantIds.length] ?? '')
    await shopper.checkOut(id)
  })
  await shopper.close()
  return measured
}

/** Reservations of one variant over NATS, as orders requests them. */
async function hotVariant({ natsUrl, hotVariantId }: Target, seconds: number): Promise<Measurement> {
  const messaging = openMessaging({
    url: natsUrl,
    service: 'orders',
    namespace: 'shop',
    log: createLog({ service: 'test', level: 'silent' }),
  })
  await messaging.opened
  const measured = await keepBusy(64, seconds, async () => {
    const reply = await sendRequest(messaging, ReserveInventory, {
      reservationId: newId('reservation'),
      lines: [{ variantId: hotVariantId, quantity: 1 }],
      ttlSeconds: 600,
    })
    if (!reply.held) throw new Error('sold out')
  })
  await messaging.close()
  return measured
}
