import { AdminProduct, listOf } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { ON_SALE, type ReadyTask } from '../task.ts'
import { openScreen, signIn, type OurShop } from './our-shop.ts'

/** The fifty have a word in common, by which they are found. */
export async function putOnSale(ours: OurShop, round: number): Promise<ReadyTask> {
  const word = `summer${round}`
  const products = Array.from({ length: ON_SALE }, (_none, number) => ({
    id: `${word}-${number}`,
    slug: `${word}-${number}`,
    title: `Shirt ${word} ${number}`,
    price: { amount: 3000, currency: 'USD' },
    variants: [{ sku: `${word}-${number}`, options: {}, inventory: 5 }],
  }))
  const imported = await ours.admin.post('/admin/import', { mode: 'merge', products })
  if (imported.status !== 200) throw new Error(`the import was rejected: ${JSON.stringify(imported.body)}`)
  return {
    async work(hand) {
      const { page } = hand
      await signIn(ours, hand)
      await openScreen(hand, 'Products')
      await hand.clickAndType(page.getByRole('searchbox'), word)
      await page.getByText(`${ON_SALE} found`).waitFor()
      await hand.click(page.getByLabel('Select all on this page'))
      await hand.click(page.getByRole('button', { name: `Select all ${ON_SALE}`, exact: true }))
      await hand.click(page.getByRole('button', { name: 'Put on sale', exact: true }))
      await hand.typeInto(page.getByRole('dialog').getByLabel('Percent off'), '20')
      await hand.click(page.getByRole('button', { name: `Change ${ON_SALE} products` }))
    },
    async confirm() {
      await waitFor('the sale', async () => {
        const { body } = await ours.admin.get(`/admin/products?q=${word}&per_page=100`)
        const { items } = listOf(AdminProduct).parse(body)
        return items.length === ON_SALE && items.every(({ price }) => price.amount === 2400)
      })
    },
  }
}
