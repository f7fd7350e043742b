import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, type TestConsole } from '../support/console.ts'
import { holdLock } from '../support/hold-lock.ts'

let merchants: TestConsole
let page: Page

beforeAll(async () => {
  merchants = await openConsole()
  page = await merchants.open('/import')
})

afterAll(() => merchants.stop())

const HEADER = 'Handle,Title,Body (HTML),Vendor,Status,Variant SKU,Variant Price,Variant Inventory Qty,Variant Barcode'
const csv = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n')
const THREE_FAULTS = csv(
  'dock-cap,Dock Cap,"Cotton, washed",Mill,active,CAP,"1.299,00",4,123',
  'dock-bag,Dock Bag,,Mill,publish,BAG,40.00,5,',
  'dock-belt,Dock Belt,,Mill,active,BAG,25.00,6,',
)

const button = (name: string): Locator => page.getByRole('button', { name, exact: true })

async function chooseFile(name: string, text: string | Buffer): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
}

/** What happens when a person lets go of a file above the page. */
async function dropFile(name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`{
    const dropped = new DataTransfer()
    dropped.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    dropped
  }`)
  await page.getByText('or drop a CSV, JSON or NDJSON file here').dispatchEvent('drop', { dataTransfer })
}

async function textOfDownload(press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFile(await download.path(), 'utf8')
}

async function productOf(slug: string): Promise<Product> {
  return waitFor(`shoppers see ${slug}`, async () => {
    const { status, body } = await merchants.shop.client().get(`/products/${slug}`)
    return status === 200 ? Product.parse(body) : undefined
  })
}

test('a merchant fixes an import with three faults in the table', async () => {
  await page.goto('/console/import')
  await chooseFile('products.csv', THREE_FAULTS)
  const columns = page.getByRole('table', { name: 'Columns of the file' })
  await columns.getByRole('row', { name: /Variant Price Price 1\.299,00/ }).waitFor()
  await page.getByText('3 errors').waitFor()
  await page.getByText('must be an amount of USD').waitFor()
  await expectAccessibleInAllColors(page)

  const list = await textOfDownload(() => button('Download the list').click())
  expect(list).toContain('2,Variant Price,"1.299,00","Must be an amount of USD in digits, such as 19.90')

  await page.getByLabel('Row 2, Variant Price').fill('1299.00')
  await page.getByLabel('Row 3, Status').fill('active')
  await page.getByLabel('Row 4, Variant SKU').fill('BELT')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: 'Products 3 0 0 0' }).waitFor()
  await page.getByText('Variant Barcode').last().waitFor()
  expect((await merchants.shop.client().get('/products/dock-cap')).status).toBe(404)
  expect(await textOfDownload(() => button('Download the corrected file').click())).toBe(
    THREE_FAULTS.replace('"1.299,00"', '1299.00')
      .replace('publish', 'active')
      .replace('active,BAG,25', 'active,BELT,25'),
  )
  await expectAccessibleInAllColors(page)
  await button('Import now').click()
  await page.getByText('The import is complete.').waitFor()
  await page.waitForURL(/\/import\/imp_/)
  expect(await productOf('dock-cap')).toMatchObject({ price: { amount: 129_900 }, description: 'Cotton, washed' })
  expect((await productOf('dock-belt')).variants).toMatchObject([{ sku: 'BELT', inventory: 6 }])
})

test('a merchant is asked before the corrections of a file are left, also those that were checked', async () => {
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const stay = question.getByRole('button', { name: 'Stay' })
  await page.goto('/console/import')
  await chooseFile('kept.csv', csv('kept-cap,Kept Cap,,Mill,publish,KEPT,"1.299,00",4,'))
  await page.getByText('2 errors').waitFor()
  await button('Choose another file').click()
  await button('Choose a file').waitFor()
  await chooseFile('kept.csv', csv('kept-cap,Kept Cap,,Mill,publish,KEPT,"1.299,00",4,'))
  await page.getByLabel('Row 2, Variant Price').fill('1299.00')
  await button('Check again').click()
  await page.getByText('One error').waitFor()
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await stay.click()
  await button('Choose another file').click()
  await stay.click()
  await question.waitFor({ state: 'detached' })
  await page.getByLabel('Row 2, Status').fill('active')
  await button('Check again').click()
  await button('Import now').waitFor()
  await textOfDownload(() => button('Download the corrected file').click())
  // After the download no correction can be lost, so the console does not warn.
  await button('Choose another file').click()
  await button('Choose a file').waitFor()
  expect(await question.count()).toBe(0)
})

test('a merchant imports a file in the encoding of Windows, by keyboard alone', async () => {
  // The wait begins before the key is pressed: only then does the browser hand the dialog over.
  const dialog = page.waitForEvent('filechooser')
  await page.goto('/console/import')
  await tabTo(button('Choose a file'))
  await page.keyboard.press('Enter')
  const chooser = await dialog
  const text = csv('quai,Café au lait,,Atelier,active,CAFE,12.50,3,')
  await chooser.setFiles({ name: 'windows.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
  await tabTo(button('Import now'))
  await page.keyboard.press('Enter')
  await page.getByText('The import is complete.').waitFor()
  expect((await productOf('quai')).title).toBe('Café au lait')
})

const OWN_HEADER = 'Artikelnummer,Modell,Bezeichnung,Preis,Farbe,Lager,Notiz'
const OWN_NAMES = [
  OWN_HEADER,
  'H-1,Hemd 1,Leinenhemd,39.90 EUR,Rot,4,a',
  'H-2,Hemd 1,Leinenhemd,39.90,Blau,viele,',
  'M-1,Mütze,,19.90,,2,',
  '',
].join('\n')

test('a merchant imports a file whose columns have other names', async () => {
  await page.goto('/console/import')
  await chooseFile('erp.csv', OWN_NAMES)
  const meaningOf = (column: string): Locator => page.getByLabel(`Meaning of ${column}`, { exact: true })
  await page.getByText('Choose the columns for: Slug, Title, Price.').waitFor()
  expect(await button('Check').isDisabled()).toBe(true)
  await page.getByRole('cell', { name: 'Hemd 1 · Mütze' }).waitFor()
  await expectAccessibleInAllColors(page)
  expect(await meaningOf('Preis').locator('optgroup').first().getAttribute('label')).toBe('Suggested')
  await meaningOf('Preis').selectOption({ label: 'Price' })
  await meaningOf('Notiz').selectOption({ label: 'Description' })
  await meaningOf('Notiz').selectOption({ label: 'Do not import' })
  await button('Use all 5 suggestions').click()
  expect(await meaningOf('Farbe').inputValue()).toBe('Option1 Value')
  await button('Check').click()

  await page.getByText('3 errors').waitFor()
  await page.getByLabel('Row 2, Preis').fill('39.90')
  await page.getByLabel('Row 3, Lager').fill('7')
  await page.getByLabel('Row 4, Bezeichnung').fill('Mütze')
  await expectAccessibleInAllColors(page)
  await button('Check again').click()
  await page.getByRole('row', { name: 'Products 2 0 0 0' }).waitFor()
  await button('Import now').click()
  await page.getByText('The import is complete.').waitFor()
  expect(await productOf('hemd-1')).toMatchObject({
    title: 'Leinenhemd',
    variants: [
      { sku: 'H-1', options: { Farbe: 'Rot' }, inventory: 4 },
      { sku: 'H-2', options: { Farbe: 'Blau' }, inventory: 7 },
    ],
  })
  await productOf('mutze')
})

test('a merchant imports a file of a German spreadsheet, and corrects a price that could be two amounts', async () => {
  const rows = ['Handle;Title;Variant Price;Vendor', 'deich-hut;"Hut; grün";1.029;Mill', 'deich-schal;Schal;19,90;Mill']
  await page.goto('/console/import')
  await chooseFile('artikel.csv', Buffer.from(rows.join('\r\n'), 'latin1'))
  await page.getByRole('row', { name: 'Title Title Hut; grün · Schal' }).waitFor()
  await page.getByText('“1.029” could be 1029 or 1.029').waitFor()
  await page.getByLabel('Row 2, Variant Price').fill('1.029,50')
  await button('Check again').click()
  await page.getByRole('row', { name: 'Products 2 0 0 0' }).waitFor()
  await button('Import now').click()
  await page.getByText('The import is complete.').waitFor()
  expect(await productOf('deich-hut')).toMatchObject({ title: 'Hut; grün', price: { amount: 102_950 } })
  expect((await productOf('deich-schal')).price.amount).toBe(1990)
})

test('a merchant chooses what columns mean by keyboard, and the browser remembers it', async () => {
  const file = 'Nr;alt,Kosten in $,Wie es heißt\nx,12.50,Kleid\n'
  const choose = async (column: string, typed: string): Promise<void> => {
    await tabTo(page.getByLabel(`Meaning of ${column}`, { exact: true }))
    await page.keyboard.type(typed)
  }
  await page.goto('/console/import')
  await chooseFile('strange.csv', file)
  await choose('Kosten in $', 'Price')
  await choose('Wie es heißt', 'Title')
  await tabTo(button('Check'))
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: 'Products 1 0 0 0' }).waitFor()

  await page.goto('/console/import')
  await chooseFile('strange.csv', file.replace('Kleid', 'Zweites Kleid'))
  await tabTo(button('Import now'))
  await page.keyboard.press('Enter')
  await page.getByText('The import is complete.').waitFor()
  expect((await productOf('zweites-kleid')).price.amount).toBe(1250)
})

test('a merchant leaves a running import, comes back, and cancels it', async () => {
  await page.goto('/console/import')
  await chooseFile('late.csv', csv('late-coat,Late Coat,,Mill,active,LATE,90.00,1,'))
  await button('Import now').waitFor()
  // As long as another import is being applied.
  const release = await holdLock(merchants.shop, 'select pg_advisory_xact_lock(712013)')
  await button('Import now').click()
  await page.getByText('You can leave this page and come back.').waitFor()
  await page.waitForURL(/\/import\/imp_/)
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByRole('heading', { name: 'Products' }).waitFor()
  await page.getByRole('link', { name: 'Import and export' }).click()
  await page
    .getByRole('row', { name: /Add and update Waiting/ })
    .getByRole('link')
    .click()
  await button('Cancel the import').click()
  await page.getByText('This import was canceled. Nothing was changed.').waitFor()
  await release()
  expect((await merchants.shop.client().get('/products/late-coat')).status).toBe(404)
})

test('a merchant replaces the shop only after typing the name of the file', async () => {
  const name = 'shop.json'
  const file = {
    mode: 'replace',
    products: [{ slug: 'only', title: 'Only One', price: { amount: 100, currency: 'USD' } }],
  }
  await page.goto('/console/import')
  await chooseFile(name, JSON.stringify(file))
  await page.getByText('One product', { exact: true }).waitFor()
  await page.getByRole('row', { name: /Products 1 0 0 0/ }).waitFor()
  await page.getByLabel('Replace everything').check()
  await button('Check').click()
  await page.getByRole('row', { name: /Products 1 0 [1-9] 0/ }).waitFor()
  await button('Import now').click()
  await page.getByLabel(`Type ${name} to confirm`).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Import now' }).click()
  await page.getByText('The import is complete.').waitFor()
  expect((await merchants.shop.client().get('/products/quai')).status).toBe(404)
  await productOf('only')
})

test('a merchant exports the shop, and the file changes nothing when it is imported', async () => {
  await page.goto('/console/import')
  await page.getByLabel('NDJSON, for large shops').check()
  const exported = await textOfDownload(() => button('Download').click())
  expect(exported.split('\n').filter((line) => line.includes('"product"'))).toHaveLength(1)
  await page.getByText('shop.ndjson was downloaded').waitFor()
  await chooseFile('shop.ndjson', exported)
  await page.getByText('One product', { exact: true }).waitFor()
  await page.getByRole('row', { name: 'Products 0 0 0 1' }).waitFor()
})

test('a merchant sees what is wrong in an NDJSON file, line by line', async () => {
  const product = { slug: 'odd', title: 'Odd', price: { amount: 'dear', currency: 'USD' } }
  await page.goto('/console/import')
  await dropFile('odd.ndjson', `${JSON.stringify({ type: 'product', data: product })}\n`)
  await page.getByText('Correct the file, and choose it again.').waitFor()
  await page.getByRole('row', { name: /1 data\.price\.amount .*dear/ }).waitFor()
  await button('Choose another file').click()
  await page
    .getByRole('row', { name: /Check One error/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('row', { name: /1 data\.price\.amount/ }).waitFor()
  await expectAccessibleInAllColors(page)
})

test('a merchant reads that a file is not JSON, and nothing about requests', async () => {
  await page.goto('/console/import')
  await dropFile('junk.json', '{"products": [')
  await page.getByText('This file is not valid JSON.').waitFor()
  expect(await page.getByText('The request could not be read.').count()).toBe(0)
})

test('a merchant who cancels when the file was sent reads that the shop may import it', async () => {
  await page.goto('/console/import')
  await chooseFile('sent.csv', csv('sent-coat,Sent Coat,,Mill,active,SENT,90.00,1,'))
  await button('Import now').waitFor()
  // The shop has the file, and its response waits.
  const release = await holdLock(merchants.shop, 'lock table catalog.import_jobs in share mode')
  await button('Import now').click()
  await page.getByRole('region', { name: 'Progress' }).getByText('100%').waitFor()
  await button('Cancel the import').click()
  await page.getByText('The file was sent, but the shop did not confirm it.').waitFor()
  await release()
  expect(await page.getByText('Nothing was imported').count()).toBe(0)
})

test('a user who may only read sees imports and no button to choose a file', async () => {
  page = await merchants.open('/import', 'support')
  await page.getByRole('table', { name: 'Earlier imports' }).getByRole('link').first().waitFor()
  expect(await button('Choose a file').count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(merchants.faults).toEqual([])
})
