import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import type { ReadyTask } from '../task.ts'
import { prepareFacet } from './prepare-facet.ts'
import { openScreen, signIn, type VendureShop } from './vendure-shop.ts'

const Cart = z.object({ addItemToOrder: z.object({ discounts: z.array(z.object({ description: z.string() })) }) })

/**
 * Prices cannot be changed in bulk, so a promotion takes the percent off in the cart, for products with a facet value
 * in common.
 */
export async function putOnSale(vendure: VendureShop, round: number): Promise<ReadyTask> {
  const { value, variantId } = await prepareFacet(vendure)
  const name = `Summer sale ${round}`
  return {
    async work(hand) {
      const { page } = hand
      const menuitem = (name: string) => page.getByRole('menuitem', { name })
      const percent = page
        .getByRole('group')
        .filter({ hasText: /^discount/ })
        .getByRole('spinbutton')
      await signIn(vendure, hand)
      await openScreen(hand, 'Marketing', 'Promotions')
      await hand.click(page.getByText('New Promotion', { exact: true }))
      await hand.clickAndType(page.getByLabel('Name', { exact: true }), name)
      await hand.click(page.getByRole('switch', { name: 'Enabled' }))
      // A promotion needs a condition: this one begins with an amount that every order reaches.
      await hand.click(page.getByRole('button', { name: 'Add condition' }))
      await hand.click(menuitem('If order total is greater than'))
      await hand.click(page.getByRole('button', { name: 'Add action' }))
      await hand.click(menuitem('Discount products with these facets'))
      await hand.clickAndType(percent, '20')
      await hand.click(page.getByRole('button', { name: 'Add facet values' }))
      await hand.type(value)
      await hand.click(page.getByRole('option', { name: value }))
      await hand.click(page.getByRole('button', { name: 'Create', exact: true }))
    },
    async confirm() {
      await waitFor('the sale', async () => {
        const { addItemToOrder } = await vendure.buyer().send(
          Cart,
          `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) {
            ... on Order { discounts { description } } } }`,
          { id: variantId },
        )
        return addItemToOrder.discounts.some(({ description }) => description === name)
      })
    },
  }
}
