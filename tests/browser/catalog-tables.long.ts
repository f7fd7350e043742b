import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Library, SizeChart } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, paste, tabTo, undo, type TestConsole } from '../support/console.ts'

const Charts = z.object({ items: z.array(SizeChart) })

let desk: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  desk = await openConsole()
  page = await desk.open('/size-charts')
  page.setDefaultTimeout(10_000)
})
afterAll(() => desk.stop())

async function chart(id: string): Promise<SizeChart | undefined> {
  return Charts.parse((await desk.shop.admin.get('/admin/size-charts')).body).items.find((each) => each.id === id)
}

const library = async () => Library.parse((await desk.shop.admin.get('/admin/library')).body)

const field = (label: string) => page.getByLabel(label, { exact: true })

test('a merchant makes a size chart from a spreadsheet', async () => {
  await page.getByText('No size charts yet').waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByRole('link', { name: 'New size chart' }).first().click()
  await field('Name').fill('Shirts')
  await page.getByRole('button', { name: 'Add a column' }).click()
  for (const [index, name] of ['Size', 'Chest', 'Length'].entries())
    await field(`Heading of column ${index + 1}`).fill(name)
  await field('1, Size').focus()
  await paste(page, 'S\t51,5\t70\nM\t54\tmany\nL\t57\t74\n')
  await page.getByRole('button', { name: 'Create size chart' }).click()
  await page.getByText('Not saved: each size needs a name').waitFor()
  expect(await page.locator(':focus').inputValue()).toBe('many')
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('72')
  await page.keyboard.press('Control+s')
  await page.getByText('Shirts was created').waitFor()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  expect(await chart('Shirts')).toMatchObject({
    unit: 'cm',
    columns: ['Size', 'Chest', 'Length'],
    rows: [
      ['S', 51.5, 70],
      ['M', 54, 72],
      ['L', 57, 74],
    ],
  })
})

test('what is typed into a size chart stays when a colleague deletes the chart', async () => {
  const reader = await desk.open('/size-charts')
  await desk.shop.admin.post('/admin/size-charts', {
    id: 'Socks',
    unit: 'cm',
    columns: ['Size', 'Foot'],
    rows: [['S', 24]],
  })
  await reader.clock.install()
  await reader.goto('/console/size-charts/edit?id=Socks')
  const foot = reader.getByLabel('S, Foot', { exact: true })
  await foot.fill('25')
  await desk.shop.admin.call('DELETE', '/admin/size-charts/Socks')
  const reading = reader.waitForResponse((response) => response.url().endsWith('/admin/size-charts'))
  await reader.clock.fastForward('01:00')
  await reader.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await (await reading).finished()
  // For the screen to show what was read.
  await setTimeout(500)
  expect(await foot.inputValue()).toBe('25')
  await reader.close()
})

test('the column of the menus has a name for a screen reader', async () => {
  const reader = await desk.open('/size-charts')
  await reader.getByRole('columnheader', { name: 'Actions' }).waitFor()
  expect(await reader.getByRole('columnheader').filter({ hasNotText: /./ }).count()).toBe(0)
  await reader.close()
})

test('a merchant adds a row by keyboard alone, moves a column, and undoes it', async () => {
  await page.getByText('0 products').waitFor()
  await tabTo(page.getByRole('button', { name: 'Add a row' }))
  await page.keyboard.press('Enter')
  await field('L, Size').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('XL')
  await page.keyboard.press('Tab')
  await page.keyboard.type('60')
  await page.keyboard.press('Tab')
  await page.keyboard.type('76')
  await page.getByRole('button', { name: 'Change Length' }).click()
  await page.getByRole('menuitem', { name: 'Move left' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Shirts was saved').waitFor()
  expect(await chart('Shirts')).toMatchObject({
    columns: ['Size', 'Length', 'Chest'],
    rows: [{}, {}, {}, ['XL', 76, 60]],
  })
  await undo(page, 'Shirts was saved')
  await waitFor('the former table', async () => (await chart('Shirts'))?.rows.length === 3)
})

test('a size chart in use is deleted after a question only', async () => {
  const product = {
    title: 'Linen shirt',
    price: { amount: 4000, currency: 'USD' },
    sizeChartId: 'Shirts',
  }
  expect((await desk.shop.admin.post('/admin/products', product)).status).toBe(200)
  await page.goto('/console/size-charts')
  await page.getByRole('row').filter({ hasText: 'Shirts' }).getByText('1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions for Shirts' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('1 product loses its size chart.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await waitFor('it is gone', async () => (await chart('Shirts')) === undefined)
})

test('a merchant saves an attribute with values, changes it and undoes that', async () => {
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Library' }).click()
  await page.getByText('No attributes of your own').waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByRole('button', { name: 'New attribute' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Dye')
  expect(await dialog.getByLabel('Key').inputValue()).toBe('dye')
  await dialog.getByRole('combobox', { name: 'Values' }).fill('Indigo')
  await page.keyboard.press('Enter')
  await expectAccessibleInAllColors(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Dye was saved').waitFor()
  expect((await library()).attributes).toMatchObject([{ key: 'dye', group: 'details', values: ['Indigo'] }])
  // Closes the notice, which would be confused with the next one.
  await page.getByRole('status').filter({ hasText: 'Dye was saved' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Actions for Dye' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByLabel('Unit').fill('baths')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Dye (baths)').waitFor()
  await undo(page, 'Dye was saved')
  await waitFor('no unit', async () => (await library()).attributes[0]?.unit === undefined)
})

test('an attribute with the key of another is not saved over it', async () => {
  const before = await library()
  await page.getByRole('button', { name: 'New attribute' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Dye')
  await dialog.getByLabel('Unit').fill('vats')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('There is already an attribute with this key.').waitFor()
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await library()).toEqual(before)
})

test('a merchant saves a promise by keyboard alone, deletes it and brings it back', async () => {
  await page.getByRole('tab', { name: 'Promises' }).click()
  await tabTo(page.getByRole('button', { name: 'New promise' }).first())
  await page.keyboard.press('Enter')
  await field('Promise').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Free repairs')
  await page.keyboard.press('Tab')
  await page.keyboard.type('For ten years')
  await page.keyboard.press('Tab')
  await page.keyboard.type('shield')
  // Waits for the suggestions: before they are shown, Escape closes the dialog.
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await page.getByText('Free repairs was saved').waitFor()
  const [saved] = (await library()).assurances
  expect(saved).toMatchObject({ icon: 'shield', label: 'Free repairs', note: 'For ten years' })
  await page.getByRole('button', { name: 'Actions for Free repairs' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await waitFor('it is gone', async () => (await library()).assurances.length === 0)
  await undo(page, 'Free repairs was deleted')
  await waitFor('it is back', async () => (await library()).assurances[0]?.id === saved?.id)
  await page.getByRole('button', { name: 'New promise' }).first().click()
  const dialog = page.getByRole('dialog')
  await field('Promise').fill('Free repairs')
  await field('Text').fill('For ten years')
  await dialog.getByRole('combobox', { name: 'Icon' }).fill('shield')
  await page.getByRole('option', { name: 'shield', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('You already have an entry with this icon and these texts.').waitFor()
  expect((await library()).assurances).toEqual([saved])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
