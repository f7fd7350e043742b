import type { Adapter } from '../adapter.ts'
import { check, objectAt, textAt, type Json } from '../replies.ts'
import { ADDRESS, buyable, type StepOptions, type Steps } from './step.ts'

/** The checkout modes in which the storefront requests a page, a window or an order from the shop. */
export function pay(shop: Adapter, options: StepOptions): Steps {
  const email = 'pay@example.com'
  const setCheckout = async (change: Json): Promise<Json> => {
    await shop.adminUpdateSettings({ checkout: change })
    return objectAt((await shop.refetchStorefront())['checkout'], 'checkout')
  }
  const start = async (settings: Json) => {
    shop.dropCart()
    await shop.addToCart(await buyable(shop), 1)
    return shop.startCheckout(settings, { email, shippingAddress: ADDRESS, shippingMethod: 'standard' })
  }
  return [
    [
      'redirect, with its own createUrl and without one',
      async () => {
        for (const createUrl of ['/carts/:cartId/checkout', '', null, '/checkout/sessions']) {
          textAt((await start(await setCheckout({ mode: 'redirect', provider: null, createUrl })))['url'], 'url')
        }
      },
    ],
    [
      'api',
      async () => void textAt((await start(await setCheckout({ mode: 'api', createUrl: '' })))['id'], 'order.id'),
    ],
    [
      'razorpay, with the key in the configuration',
      async () => {
        const settings = await setCheckout({ mode: 'razorpay', publicKey: options.razorpayKeyId })
        check(settings['publicKey'] === options.razorpayKeyId, 'checkout.publicKey', options.razorpayKeyId, settings)
        const { razorpay_order_id: id } = await start(settings)
        const order = await shop.verifyPayment(await options.payAtRazorpay(textAt(id, 'razorpay_order_id')))
        textAt(order['id'], 'order.id')
      },
    ],
    ['demo again', async () => void (await setCheckout({ mode: 'demo', publicKey: '', createUrl: null }))],
  ]
}
