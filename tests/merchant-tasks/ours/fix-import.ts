import { waitFor } from '@storefront/tools/testing'
import type { ReadyTask } from '../task.ts'
import { openScreen, signIn, type OurShop } from './our-shop.ts'

/** A price in words, a status that does not exist, and a SKU that another row has. */
function threeFaults(slug: string): string {
  return `Handle,Title,Status,Variant SKU,Variant Price,Variant Inventory Qty
${slug}-cap,Dock Cap,active,${slug}-cap,cheap,4
${slug}-bag,Dock Bag,publish,${slug}-bag,40.00,5
${slug}-belt,Dock Belt,active,${slug}-bag,25.00,6
`
}

export async function fixImport(ours: OurShop, round: number): Promise<ReadyTask> {
  const slug = `dock-${round}`
  const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(threeFaults(slug)) }
  return {
    async work(hand) {
      const { page } = hand
      await signIn(ours, hand)
      await openScreen(hand, 'Import and export')
      await hand.chooseFiles(page.getByRole('button', { name: 'Choose a file' }), file)
      await hand.clickAndReplace(page.getByLabel('Row 2, Variant Price'), '12.90')
      await hand.tabAndType(page.getByLabel('Row 3, Status'), 'active')
      await hand.tabAndType(page.getByLabel('Row 4, Variant SKU'), `${slug}-belt`)
      await hand.press('Enter')
      await hand.click(page.getByRole('button', { name: 'Import now', exact: true }))
    },
    async confirm() {
      await waitFor('the products of the file', async () => {
        const found = await Promise.all(
          ['cap', 'bag', 'belt'].map((name) => ours.admin.get(`/products/${slug}-${name}`)),
        )
        return found.every(({ status }) => status === 200)
      })
    },
  }
}
