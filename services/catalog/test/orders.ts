import type { App } from '@storefront/http'
import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  Address,
  eventSubject,
  newId,
  OrderPlaced,
  ReserveInventory,
  type EventDefinition,
  type Order,
} from '@storefront/contracts'
import type { z } from 'zod'
import { pageOf, PUBLIC_URL, usd } from './catalog.ts'

/** Holds goods as a checkout does. @returns the reservation with its claim */
export async function hold(
  orders: Messaging,
  variantId: string,
  quantity: number,
): Promise<{ id: string; claim: string }> {
  const id = newId('reservation')
  const lines = [{ variantId, quantity }]
  const reply = await sendRequest(orders, ReserveInventory, { reservationId: id, lines, ttlSeconds: 3600 })
  if (!reply.held) throw new Error(`not held: ${JSON.stringify(reply.shortfalls)}`)
  return { id, claim: reply.claim }
}

/** Publishes as the relay does, but without its Nats-Msg-Id: an event that is sent twice arrives twice. */
export async function publishEvent<Data>(
  from: Messaging,
  event: EventDefinition<string, Data>,
  data: Data,
  id = newId('event'),
): Promise<void> {
  const envelope = { id, name: event.name, at: new Date().toISOString(), data: event.data.parse(data) }
  from.connection().publish(eventSubject(from.namespace, event), JSON.stringify(envelope))
  await (await from.opened).flush()
}

type PlacedOrder = z.output<typeof OrderPlaced.data>

/** The event of orders for an order that was placed on a reservation. */
export function placedOrder({
  reservation,
  lines = [],
  total = usd(0),
  customerId,
  at = new Date(),
}: {
  /** Undefined for an order whose goods were sold out when it was paid. */
  reservation?: { id: string; claim: string }
  lines?: Order['lines']
  total?: Order['total']
  customerId?: string | undefined
  at?: Date
}): PlacedOrder {
  return OrderPlaced.data.parse({
    order: {
      id: newId('order'),
      number: 'SF-10001',
      status: 'placed',
      placedAt: at.toISOString(),
      lines,
      subtotal: total,
      discount: usd(0),
      shipping: usd(0),
      tax: usd(0),
      total,
      shippingAddress: Address.parse({}),
      shippingMethod: 'standard',
      email: 'ada@mail.example',
      payment: { provider: 'demo', status: 'pending' },
      refunds: [],
      refundedTotal: usd(0),
    },
    cartId: newId('cart'),
    ...(customerId !== undefined && { customerId }),
    ...(reservation && { reservation }),
    locale: 'en-US',
  })
}

/** The event of an order for the first variant of a product, on goods that it holds. */
export async function orderFor(
  app: App,
  orders: Messaging,
  slug: string,
  { quantity = 1, ...more }: { quantity?: number; customerId?: string | undefined; at?: Date } = {},
): Promise<PlacedOrder> {
  const { title, price, variants } = await pageOf(app, slug)
  const variantId = variants[0]?.id ?? ''
  const reservation = await hold(orders, variantId, quantity)
  const image = { url: `${PUBLIC_URL}/media/shirt.jpg`, alt: title }
  const total = usd(price.amount * quantity)
  const line = { id: newId('line'), variantId, productSlug: slug, title, options: {}, image, quantity }
  return placedOrder({ reservation, lines: [{ ...line, unitPrice: price, lineTotal: total }], total, ...more })
}
