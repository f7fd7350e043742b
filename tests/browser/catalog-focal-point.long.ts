import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AdminProduct, Media, Product, thumbnailPath } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, signIn, tabTo, type TestConsole } from '../support/console.ts'

const Listed = z.object({ items: z.array(Media) })

let desk: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page
let product: AdminProduct

beforeAll(async () => {
  desk = await openConsole()
  page = await desk.open('/media')
  page.setDefaultTimeout(15_000)
})
afterAll(() => desk.stop())

/** Red on the left, green on the right. */
async function flag(): Promise<Buffer> {
  const half = { width: 400, height: 400, channels: 3 } as const
  const green = await sharp({ create: { ...half, background: '#00ff00' } })
    .png()
    .toBuffer()
  return sharp({ create: { ...half, width: 800, background: '#ff0000' } })
    .composite([{ input: green, left: 400, top: 0 }])
    .png()
    .toBuffer()
}

async function stored(): Promise<Media> {
  const [media] = Listed.parse((await desk.shop.admin.get('/admin/media?q=flag')).body).items
  if (!media) throw new Error('the picture is not in the library')
  return media
}

const dialog = (): Locator => page.getByRole('dialog')
const share = (name: string): Locator => dialog().getByRole('textbox', { name })
const button = (name: string): Locator => dialog().getByRole('button', { name, exact: true })

/** The shop's crop of the picture: what is in its middle. */
async function middleOf(address: string): Promise<'red' | 'green'> {
  const bytes = Buffer.from(await (await fetch(new URL(address, desk.shop.shop.url))).arrayBuffer())
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const middle = 3 * (120 * 192 + 96)
  return (data[middle] ?? 0) > (data[middle + 1] ?? 0) ? 'red' : 'green'
}

test('a merchant clicks and drags on a picture to say what stays visible', async () => {
  await page.getByText('No pictures yet').waitFor()
  const file = { name: 'flag.png', mimeType: 'image/png', buffer: await flag() }
  await page.locator('input[type=file]').first().setInputFiles(file)
  const tile = page.getByRole('button').filter({ hasText: 'flag.png' })
  await tile.click()
  await share('From the left').waitFor()
  expect([await share('From the left').inputValue(), await share('From the top').inputValue()]).toEqual(['50', '50'])
  expect(await button('Save the focal point').isDisabled()).toBe(true)

  const box = await dialog().locator('img').first().boundingBox()
  if (!box) throw new Error('the picture is not visible')
  await page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.5)
  expect(await share('From the left').inputValue()).toBe('25')
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 40, box.y + box.height * 0.25, { steps: 4 })
  await page.mouse.up()
  expect([await share('From the left').inputValue(), await share('From the top').inputValue()]).toEqual(['100', '25'])
  await expectAccessibleInAllColors(page)
  await button('Save the focal point').click()
  await page.getByText('The focal point was saved').waitFor()
  expect(await stored()).toMatchObject({ focalPoint: { x: 1, y: 0.25 } })

  await page.getByRole('status').filter({ hasText: 'was saved' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The focal point was restored').waitFor()
  expect((await stored()).focalPoint).toBe(null)
  await waitFor('the middle', async () => (await share('From the left').inputValue()) === '50')
  await page.keyboard.press('Escape')
})

test('a merchant sets it by keyboard alone while editing a product, and the thumbnail shows it', async () => {
  const { path } = await stored()
  const created = await desk.shop.admin.post('/admin/products', {
    title: 'Flag',
    price: { amount: 900, currency: 'USD' },
    images: [{ url: path, alt: 'A flag' }],
    variants: [{ sku: 'flag', options: {}, inventory: 3 }],
  })
  product = AdminProduct.parse(created.body)
  // The address that the shop gives its pictures.
  await page.goto(`${new URL(product.images[0]?.url ?? '').origin}/console/products/${product.id}`)
  await signIn(page, desk.shop.shop.adminEmail, desk.shop.shop.adminPassword)
  const opener = page.getByRole('button', { name: 'Focal point of picture 1' })
  const picture = page.getByRole('img', { name: 'A flag' }).first()
  await opener.waitFor()
  const before = await picture.getAttribute('src')
  expect(before).toContain(thumbnailPath(path.slice('/media/'.length)))

  await tabTo(opener)
  await page.keyboard.press('Enter')
  await tabTo(share('From the left'))
  for (let steps = 0; steps < 10; steps++) await page.keyboard.press('ArrowUp')
  expect(await share('From the left').inputValue()).toBe('60')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('100')
  expect(await share('From the left').inputValue()).toBe('100')
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Enter')
  await page.getByText('The focal point was saved').waitFor()
  await dialog().waitFor({ state: 'detached' })
  await page.locator(':focus').and(opener).waitFor()
  expect((await stored()).focalPoint).toEqual({ x: 1, y: 0.5 })

  const after = (await picture.getAttribute('src')) ?? ''
  expect(after).not.toBe(before)
  expect(await middleOf(after)).toBe('green')
  // The product itself is not changed by it.
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
})

test('the preview shows the product as the shop crops it, and shoppers get the point', async () => {
  await page.getByRole('button', { name: 'Preview' }).click()
  const large = dialog().getByRole('img', { name: 'A flag' })
  await waitFor('the crop of the page', async () =>
    (await large.getAttribute('style'))?.includes('object-position: 100% 50%'),
  )
  await page.keyboard.press('Escape')
  const shown = Product.parse((await desk.shop.client().get(`/products/${product.slug}`)).body)
  expect(shown.images[0]?.focalPoint).toEqual({ x: 1, y: 0.5 })
})

test('a merchant centers a picture again by keyboard', async () => {
  await tabTo(page.getByRole('button', { name: 'Focal point of picture 1' }))
  await page.keyboard.press('Enter')
  await tabTo(button('Center'))
  await page.keyboard.press('Enter')
  await tabTo(button('Save the focal point'))
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  expect((await stored()).focalPoint).toBe(null)
  await waitFor('shoppers see no focal point', async () => {
    const { body } = await desk.shop.client().get(`/products/${product.slug}`)
    return Product.parse(body).images[0]?.focalPoint === undefined
  })
})

test('a user who may only read sees the picture and no way to change it', async () => {
  const support = await desk.open('/media', 'support')
  await support.getByText('flag.png').click()
  await support.getByRole('dialog').getByText('Flag', { exact: true }).waitFor()
  expect(await support.getByRole('button', { name: 'Save the focal point' }).count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
