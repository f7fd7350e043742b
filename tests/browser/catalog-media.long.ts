import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Media, Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, undo, type TestConsole } from '../support/console.ts'

const Listed = z.object({ items: z.array(Media) })

let desk: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  desk = await openConsole()
  page = await desk.open('/media')
  page.setDefaultTimeout(10_000)
})
afterAll(() => desk.stop())

async function file(color: string) {
  const buffer = await sharp({ create: { width: 400, height: 500, channels: 3, background: color } })
    .png()
    .toBuffer()
  return { name: `${color}.png`, mimeType: 'image/png', buffer }
}

async function find(name: string): Promise<Media | undefined> {
  const { body } = await desk.shop.admin.get(`/admin/media?q=${name}`)
  return Listed.parse(body).items[0]
}

const tile = (name: string): Locator => page.getByRole('button').filter({ hasText: `${name}.png` })
const drawer = (): Locator => page.getByRole('dialog')

const shown = async () => Product.parse((await desk.shop.client().get('/products/linen')).body)

test('a merchant uploads several pictures, and sees how far they are', async () => {
  await page.getByText('No pictures yet').waitFor()
  await expectAccessibleInAllColors(page)
  const files = await Promise.all(['navy', 'tan', 'olive'].map(file))
  await page.locator('input[type=file]').first().setInputFiles(files)
  await page.getByText('3 of 3 uploaded').waitFor()
  for (const name of ['navy', 'tan', 'olive']) await tile(name).waitFor()
  await expectAccessibleInAllColors(page)
})

test('a file that is not a picture is reported, and one that is there already is not stored twice', async () => {
  const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([await file('navy'), broken])
  await page.getByText('navy.png was already in the library.').waitFor()
  await page.getByText('broken.png was not uploaded: The file is not a JPEG, PNG, WebP, AVIF or GIF').waitFor()
  await page.getByText('1 of 2 uploaded', { exact: true }).waitFor()
  expect(await find('broken')).toBeUndefined()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click()
})

test('a file can be chosen again: the browser would report no change', async () => {
  const choose = async () => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload pictures' }).click()
    return chooser
  }
  await (await choose()).setFiles(await file('navy'))
  await page.getByText('navy.png was already in the library.').waitFor()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click()
  await choose()
  expect(await page.locator('input[type=file]').first().inputValue()).toBe('')
})

test('a merchant drops a picture on the page', async () => {
  const { buffer } = await file('teal')
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob(${JSON.stringify(buffer.toString('base64'))}), (one) => one.charCodeAt(0))
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([bytes], 'teal.png', { type: 'image/png' }))
    const target = document.querySelector('h1')
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }`)
  await tile('teal').waitFor()
  expect(await find('teal')).toMatchObject({ width: 400, height: 500 })
})

test('a merchant writes the text of a picture by keyboard alone', async () => {
  await tabTo(tile('teal'))
  await page.keyboard.press('Enter')
  await drawer().getByText('This picture is not used anywhere in the shop.').waitFor()
  await drawer().getByText('320 × 400').waitFor()
  await expectAccessibleInAllColors(page)
  await tabTo(drawer().getByLabel('What the picture shows'))
  await page.keyboard.type('A teal wall')
  await page.keyboard.press('Enter')
  await page.getByText('The description was saved').waitFor()
  expect((await find('teal'))?.alt).toBe('A teal wall')
  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'detached' })
})

test('a picture shows where it is used, and the unused ones are found', async () => {
  const navy = await find('navy')
  const image = { url: navy?.path ?? '', alt: 'Linen' }
  const body = {
    mode: 'merge',
    categories: [{ slug: 'shirts', name: 'Shirts', image }],
    products: [
      {
        slug: 'linen',
        title: 'Linen shirt',
        price: { amount: 4000, currency: 'USD' },
        images: [image],
        variants: [{ sku: 'linen', options: {}, inventory: 1 }],
      },
    ],
  }
  expect((await desk.shop.admin.post('/admin/import', body)).status).toBe(200)
  await page.reload()
  await tile('navy').getByText('2 places').waitFor()
  await tile('navy').click()
  await drawer().getByRole('link', { name: 'Linen shirt' }).waitFor()
  await drawer().getByText('Category Shirts').waitFor()
  expect(await drawer().getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByText('Unused', { exact: true }).first().click()
  await tile('navy').waitFor({ state: 'detached' })
  await page.getByText('3 found').waitFor()
  expect(page.url()).toContain('unused=true')
})

test('a merchant replaces a picture wherever it is shown, and undoes it', async () => {
  await page.getByText('All', { exact: true }).click()
  await tile('navy').click()
  await drawer()
    .locator('input[type=file]')
    .setInputFiles(await file('maroon'))
  await page.getByText('maroon.png is now shown in 2 places').waitFor()
  const [maroon, navy] = [await find('maroon'), await find('navy')]
  expect((await shown()).images).toMatchObject([{ url: expect.stringContaining(maroon?.id ?? '?'), alt: 'Linen' }])
  await undo(page, 'maroon.png is now shown in 2 places')
  await page.getByText('navy.png is shown again').waitFor()
  await waitFor('the former picture', async () => (await shown()).images[0]?.url.includes(navy?.id ?? '?'))
})

test('a merchant deletes an unused picture after a question, and then all of them', async () => {
  await page.getByText('Unused', { exact: true }).first().click()
  await tile('olive').click()
  await drawer().getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This cannot be undone.').waitFor()
  await page.getByRole('dialog', { name: 'Delete olive.png?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('olive.png was deleted').waitFor()
  expect(await find('olive')).toBeUndefined()
  await page.getByRole('button', { name: 'Delete these 3 pictures' }).click()
  await page.getByLabel('Type delete to confirm').fill('delete')
  await expectAccessibleInAllColors(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('3 pictures were deleted').waitFor()
  expect(await find('tan')).toBeUndefined()
  expect(await find('navy')).toBeDefined()
})

test('a user who may only read sees pictures and no way to change them', async () => {
  const support = await desk.open('/media', 'support')
  await support.getByText('navy.png').click()
  await support.getByRole('dialog').getByText('Linen shirt').waitFor()
  expect(await support.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  expect(await support.locator('input[type=file]').count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
