import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { buyerOf } from '../buyers.ts'
import type { ReadyTask } from '../task.ts'
import { placePaidOrder } from './place-paid-order.ts'
import { openScreen, signIn, type VendureShop } from './vendure-shop.ts'

const ReadOrder = z.object({
  order: z.object({
    lines: z.array(z.object({ id: z.string(), quantity: z.number() })),
    payments: z.array(
      z.object({
        refunds: z.array(z.object({ lines: z.array(z.object({ orderLineId: z.string(), quantity: z.number() })) })),
      }),
    ),
  }),
})

export async function refundLine(vendure: VendureShop, round: number): Promise<ReadyTask> {
  const buyer = buyerOf(round)
  const order = await placePaidOrder(vendure, buyer)
  return {
    async work(hand) {
      const { page } = hand
      await signIn(vendure, hand)
      await openScreen(hand, 'Sales', 'Orders')
      await hand.clickAndType(page.getByPlaceholder('Filter...'), buyer.part)
      await hand.click(page.getByText(order.code, { exact: true }))
      // The menu of the order has no name; it is the next button.
      await hand.click(page.getByRole('button', { name: 'Fulfill order' }).locator('xpath=following::button[1]'))
      await hand.click(page.getByRole('menuitem', { name: 'Refund & Cancel' }))
      const dialog = page.getByRole('dialog')
      const line = dialog.getByRole('row').nth(1)
      await hand.clickAndType(line.getByTestId('refund-quantity'), '1')
      await hand.click(dialog.getByRole('combobox'))
      await hand.click(page.getByRole('option').first())
      await hand.click(dialog.getByRole('button', { name: /^Refund / }))
    },
    async confirm() {
      await waitFor('the refund', async () => {
        const { order: read } = await vendure.admin.send(
          ReadOrder,
          `query ($id: ID!) { order(id: $id) {
            lines { id quantity } payments { refunds { lines { orderLineId quantity } } } } }`,
          { id: order.id },
        )
        const refunded = read.payments[0]?.refunds[0]?.lines[0]
        // A line that was returned to the stock leaves the order.
        return (
          refunded?.quantity === 1 &&
          read.lines.some(({ id, quantity }) => id === refunded.orderLineId && quantity === 0)
        )
      })
    },
  }
}
