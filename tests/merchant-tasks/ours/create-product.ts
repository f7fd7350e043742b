import { AdminProduct, listOf } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { PICTURES } from '../pictures.ts'
import { COLORS, SIZES, VARIANTS, type ReadyTask } from '../task.ts'
import { openScreen, signIn, type OurShop } from './our-shop.ts'

const PRICE = '45'
const STOCK = '10'

export async function createProduct(ours: OurShop, round: number): Promise<ReadyTask> {
  const title = `Quayside Jacket ${round}`
  return {
    async work(hand) {
      const { page } = hand
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await signIn(ours, hand)
      await openScreen(hand, 'Products')
      await hand.click(page.getByRole('link', { name: 'New product' }))
      await hand.typeInto(page.getByLabel('Title'), title)
      await hand.chooseFiles(button('Choose pictures'), PICTURES)
      for (const number of PICTURES.map((_none, place) => place + 1)) {
        if (number > 1) await hand.press('Enter')
        await hand.typeInto(page.getByLabel(`What picture ${number} shows`), `The jacket from side ${number}`)
      }
      await hand.clickAndType(page.getByLabel('Price', { exact: true }), PRICE)
      await hand.click(button('Add colors'))
      await hand.typeInto(page.getByLabel('Add a value of Color'), COLORS.join(','))
      await hand.click(button('Add sizes'))
      await hand.typeInto(page.getByLabel('Add a value of Size'), SIZES.join(','))
      await hand.clickAndType(page.getByLabel('Stock of all variants'), STOCK)
      await hand.click(button('Create product'))
    },
    async confirm() {
      await waitFor('the product', async () => {
        const { body } = await ours.admin.get(`/admin/products?q=${encodeURIComponent(title)}`)
        const product = listOf(AdminProduct).parse(body).items[0]
        if (product?.images.length !== PICTURES.length || product.variants.length !== VARIANTS) return false
        return product.published && product.variants.every(({ inventory }) => inventory === Number(STOCK))
      })
    },
  }
}
