import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import type { Hand } from '../hand.ts'
import { PICTURES } from '../pictures.ts'
import { COLORS, SIZES, VARIANTS, type ReadyTask } from '../task.ts'
import { openScreen, signIn, type VendureShop } from './vendure-shop.ts'

const Products = z.object({
  products: z.object({
    items: z.array(
      z.object({
        enabled: z.boolean(),
        assets: z.array(z.unknown()),
        variants: z.array(z.object({ price: z.number(), stockOnHand: z.number() })),
      }),
    ),
  }),
})

export async function createProduct(vendure: VendureShop, round: number): Promise<ReadyTask> {
  const name = `Quayside Jacket ${Date.now()}`
  return {
    async work(hand) {
      const { page } = hand
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await signIn(vendure, hand)
      await openScreen(hand, 'Catalog', 'Products')
      await hand.click(page.getByText('New Product', { exact: true }))
      await hand.clickAndType(page.getByLabel('Product name'), name)
      await hand.click(page.getByRole('switch', { name: 'Enabled' }))
      await addPictures(hand)
      await hand.click(button('Create'))
      await hand.click(page.getByText('Product with options'))
      await addOption(hand, `Color ${round}`, COLORS)
      await hand.click(button('Add option group'))
      await addOption(hand, `Size ${round}`, SIZES)
      // Without this, the button that creates the variants does nothing: the rows of the first group alone wait for
      // their SKUs.
      await hand.reload()
      await fillVariants(hand, `QJ${round}`)
      await hand.click(button(`Create ${VARIANTS} variants`))
    },
    async confirm() {
      await waitFor('the product', async () => {
        const { products } = await vendure.admin.send(
          Products,
          `query ($name: String!) { products(options: { filter: { name: { eq: $name } } }) {
            items { enabled assets { id } variants { price stockOnHand } } } }`,
          { name },
        )
        const [product] = products.items
        if (!product?.enabled || product.assets.length !== PICTURES.length) return false
        const complete = product.variants.filter(({ price, stockOnHand }) => price === 4500 && stockOnHand === 10)
        return complete.length === VARIANTS
      })
    },
  }
}

async function addPictures(hand: Hand): Promise<void> {
  const { page } = hand
  await hand.click(page.getByRole('button', { name: 'Add asset' }))
  const dialog = page.getByRole('dialog')
  const found = dialog.getByText(/^\d+ assets found/)
  await dialog.getByRole('checkbox').first().waitFor()
  const before = Number.parseInt(await found.innerText(), 10)
  await hand.chooseFiles(dialog.getByRole('button', { name: 'Upload' }), PICTURES)
  await dialog.getByText(`${before + PICTURES.length} assets found`).waitFor()
  for (const place of PICTURES.keys()) await hand.click(dialog.getByRole('checkbox').nth(place))
  await hand.click(dialog.getByRole('button', { name: `Select ${PICTURES.length} Assets` }))
}

async function addOption(hand: Hand, name: string, values: readonly string[]): Promise<void> {
  const dialog = hand.page.getByRole('dialog')
  await hand.click(dialog.getByRole('tab', { name: 'Create new' }))
  await hand.clickAndType(dialog.getByPlaceholder('e.g. Size'), name)
  await hand.press('Tab')
  for (const value of values) {
    await hand.typeInto(dialog.getByPlaceholder('Enter value and press Enter'), value)
    await hand.press('Enter')
  }
  await hand.click(dialog.getByRole('button', { name: 'Save option group' }))
  await dialog.waitFor({ state: 'detached' })
}

/** From cell to cell with Tab; each row begins with a box that is checked already. */
async function fillVariants(hand: Hand, sku: string): Promise<void> {
  const { page } = hand
  const rows = page.getByRole('row').filter({ has: page.getByTestId('variant-sku-input') })
  for (let place = 0; place < VARIANTS; place++) {
    const row = rows.nth(place)
    const field = row.getByTestId('variant-sku-input')
    if (place === 0) await hand.click(field)
    else {
      await hand.press('Tab')
      await hand.press('Tab')
    }
    await hand.typeInto(field, `${sku}-${place}`)
    await hand.press('Tab')
    await hand.type('45')
    await hand.tabAndType(row.getByTestId('variant-stock-input'), '10')
  }
}
