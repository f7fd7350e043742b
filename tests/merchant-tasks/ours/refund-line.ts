import { waitFor } from '@storefront/tools/testing'
import { placePaidOrder, readOrder } from '../../support/paid-order.ts'
import { TestClient } from '../../support/test-client.ts'
import { buyerOf } from '../buyers.ts'
import type { ReadyTask } from '../task.ts'
import { openScreen, signIn, type OurShop } from './our-shop.ts'

export async function refundLine(ours: OurShop, round: number): Promise<ReadyTask> {
  const { shop, admin } = ours
  const { firstName, lastName, part } = buyerOf(round)
  const inStock = (await admin.products('?in_stock=true&per_page=12')).filter(
    ({ variants }) => (variants[0]?.inventory ?? 0) > 0,
  )
  const [first, second] = inStock
  if (!first || !second) throw new Error('the demo shop has nothing in stock')
  const order = await placePaidOrder({ admin, client: () => new TestClient(shop.url) }, `${firstName} ${lastName}`, [
    [first, 1],
    [second, 1],
  ])
  const wanted = order.lines[0]
  return {
    async work(hand) {
      const { page } = hand
      await signIn(ours, hand)
      await openScreen(hand, 'Orders')
      await hand.clickAndType(page.getByRole('searchbox'), part)
      await hand.click(page.getByRole('link', { name: order.number }))
      await hand.click(page.getByRole('button', { name: 'Refund', exact: true }))
      const dialog = page.getByRole('dialog')
      await hand.typeInto(dialog.getByLabel(`Units of ${wanted?.title} to refund`), '1')
      await hand.click(dialog.getByRole('button', { name: /^Refund / }))
    },
    async confirm() {
      await waitFor('the refund', async () => {
        const { refunds } = await readOrder({ admin }, order.id)
        const line = refunds[0]?.lines?.[0]
        return line?.lineId === wanted?.id && line?.restocked === 1
      })
    },
  }
}
