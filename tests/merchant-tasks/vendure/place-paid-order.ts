import { z } from 'zod'
import type { VendureShop } from './vendure-shop.ts'

const Variants = z.object({
  products: z.object({ items: z.array(z.object({ variants: z.array(z.object({ id: z.string() })) })) }),
})
const Methods = z.object({
  eligibleShippingMethods: z.array(z.object({ id: z.string() })),
  eligiblePaymentMethods: z.array(z.object({ code: z.string() })),
})
const Paid = z.object({
  addPaymentToOrder: z.object({
    id: z.string(),
    code: z.string(),
    payments: z.array(z.object({ id: z.string(), state: z.string() })),
  }),
})

export interface VendureOrder {
  id: string
  code: string
}

/** A guest buys two products, one unit each; Vendure's dummy payment takes the money. */
export async function placePaidOrder(
  { admin, buyer }: VendureShop,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<VendureOrder> {
  const shop = buyer()
  const { products } = await shop.send(Variants, '{ products(options: { take: 2 }) { items { variants { id } } } }')
  for (const { variants } of products.items) {
    const line = 'mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { ... on Order { id } } }'
    await shop.send(z.unknown(), line, { id: variants[0]?.id })
  }
  const customer = { firstName, lastName, emailAddress: `${lastName.toLowerCase()}.${Date.now()}@example.com` }
  await shop.send(
    z.unknown(),
    'mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { ... on Order { id } } }',
    { input: customer },
  )
  const address = {
    fullName: `${firstName} ${lastName}`,
    streetLine1: '12 St James Square',
    city: 'London',
    postalCode: 'SW1Y 4JH',
    countryCode: 'GB',
  }
  await shop.send(
    z.unknown(),
    'mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { ... on Order { id } } }',
    { input: address },
  )
  const methods = await shop.send(Methods, '{ eligibleShippingMethods { id } eligiblePaymentMethods { code } }')
  await shop.send(
    z.unknown(),
    'mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { ... on Order { id } } }',
    { id: [methods.eligibleShippingMethods[0]?.id] },
  )
  await shop.send(z.unknown(), 'mutation { transitionOrderToState(state: "ArrangingPayment") { ... on Order { id } } }')
  const { addPaymentToOrder: order } = await shop.send(
    Paid,
    `mutation ($input: PaymentInput!) { addPaymentToOrder(input: $input) {
      ... on Order { id code payments { id state } } ... on ErrorResult { message } } }`,
    { input: { method: methods.eligiblePaymentMethods[0]?.code, metadata: {} } },
  )
  for (const { id, state } of order.payments) {
    if (state === 'Settled') continue
    await admin.send(z.unknown(), 'mutation ($id: ID!) { settlePayment(id: $id) { ... on Payment { state } } }', { id })
  }
  return order
}
