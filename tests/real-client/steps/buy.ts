import type { Adapter } from '../adapter.ts'
import { listAt, moneyAt, objectAt, textAt } from '../replies.ts'
import { ADDRESS, buyable, fails, type Steps } from './step.ts'

export function buy(shop: Adapter): Steps {
  const email = `guest-${Math.random().toString(36).slice(2)}@example.com`
  return [
    ['a shopper fills, discounts and clears the bag', () => fillAndClearBag(shop)],
    [
      'a cart that no longer exists is replaced by a new one',
      async () => {
        shop.rememberCart('cart_which_never_was')
        await shop.getCart()
      },
    ],
    ['a guest checks out and opens the order again', () => buyAndOpenOrder(shop, email)],
    ['a lookup by a wrong number finds nothing', () => fails(() => shop.lookUpOrder('SF-1', email), 404, 'not_found')],
    [
      'an empty bag cannot be bought',
      () =>
        fails(() => shop.checkout({ email, shippingAddress: ADDRESS, shippingMethod: 'standard' }), 422, 'empty_cart'),
    ],
    ['a shopper subscribes to the newsletter', async () => void (await shop.subscribe(email))],
    ['an invalid address is rejected', () => fails(() => shop.subscribe('nonsense'), 422, 'invalid_email')],
  ]
}

async function fillAndClearBag(shop: Adapter): Promise<void> {
  const bought = await buyable(shop)
  await shop.addToCart(bought, 1)
  const { lines } = await shop.addToCart(bought, 1)
  const line = objectAt(listAt(lines, 'lines')[0], 'a line')
  for (const key of ['id', 'variantId', 'productSlug', 'title']) textAt(line[key], `line.${key}`)
  moneyAt(line['unitPrice'], 'line.unitPrice')
  moneyAt(line['lineTotal'], 'line.lineTotal')
  const id = textAt(line['id'], 'line.id')
  await shop.updateCartLine(id, 1)
  const discounted = await shop.applyDiscount('freeship')
  textAt(objectAt(discounted['discountCode'], 'discountCode')['label'], 'discountCode.label')
  await shop.applyDiscount('')
  await fails(() => shop.applyDiscount('NOTHING'), 422, 'invalid_discount')
  await fails(() => shop.addToCart('var_none'), 404, 'variant_not_found')
  await shop.updateCartLine(id, 0)
  await shop.clearCart()
}

async function buyAndOpenOrder(shop: Adapter, email: string): Promise<void> {
  await shop.addToCart(await buyable(shop), 1)
  const order = await shop.checkout({ email, shippingAddress: ADDRESS, shippingMethod: 'standard' })
  const id = textAt(order['id'], 'order.id')
  const opened = await shop.getOrder(id)
  for (const key of ['subtotal', 'discount', 'shipping', 'tax', 'total']) moneyAt(opened[key], `order.${key}`)
  await shop.getOrderByToken(id, textAt(order['accessToken'], 'order.accessToken'))
  await shop.lookUpOrder(textAt(order['number'], 'order.number').toLowerCase(), email.toUpperCase())
}
