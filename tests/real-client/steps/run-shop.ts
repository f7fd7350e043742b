import type { Adapter } from '../adapter.ts'
import { DOCUMENT } from '../document.ts'
import { check, ContractFailure, isObject, itemsOf, listAt, moneyAt, objectAt, textAt } from '../replies.ts'
import { ADDRESS, buyable, fails, type StepOptions, type Steps } from './step.ts'

/** The steps of a merchant besides those with products. */
export function runShop(shop: Adapter, { adminEmail }: StepOptions): Steps {
  const mark = Math.random().toString(36).slice(2)
  return [
    [
      'a category is read from the tree, changed and sent back complete',
      async () => {
        const [root] = await shop.listCategories()
        await shop.adminSaveCategory({ ...root, blurb: 'Changed' })
        await shop.adminSaveCategory({ slug: `c-${mark}`, name: 'New', parent: null, blurb: '' })
        await shop.adminDeleteCategory(`c-${mark}`)
      },
    ],
    ['a new size chart gets an id, and edited cells become numbers', () => saveSizeChart(shop)],
    ['a discount is saved by its code, twice, and deleted', () => saveDiscount(shop, mark)],
    [
      'the library',
      async () => {
        const { id } = await shop.saveLibraryItem('features', { icon: 'refresh', title: `Kept ${mark}`, body: '' })
        await shop.listLibrary()
        await shop.deleteLibraryItem('features', textAt(id, 'id'))
        await fails(() => shop.saveLibraryItem('colors', {}), 422, 'invalid_kind')
      },
    ],
    ['the whole configuration is accepted and read back equal', () => configure(shop)],
    ['credentials and a test mail to the merchant', () => sendTestMail(shop, adminEmail)],
    ['an order is paid, sent, and refunded in part', () => fulfillAndRefund(shop)],
    [
      'an export is imported, and the reply counts its products',
      async () => {
        const exported = await shop.adminExport()
        const result = await shop.adminImport({ ...exported, mode: 'merge' })
        check(typeof result['products'] === 'number', 'result.products', 'a number', result['products'])
      },
    ],
  ]
}

async function saveSizeChart(shop: Adapter): Promise<void> {
  const chart = {
    id: '',
    unit: 'cm',
    note: '',
    columns: ['Size', 'Chest', 'Length'],
    rows: [
      ['S', '51.5', '70'],
      ['M', '54', '72'],
    ],
  }
  const saved = await shop.adminSaveSizeChart(chart)
  textAt(saved['id'], 'chart.id')
  check(JSON.stringify(saved['rows']) === '[["S",51.5,70],["M",54,72]]', 'chart.rows', 'numbers', saved['rows'])
  check(
    (await shop.listSizeCharts()).some(({ id }) => id === saved['id']),
    'GET /size-charts',
    'the new chart',
    saved['id'],
  )
}

async function saveDiscount(shop: Adapter, mark: string): Promise<void> {
  await shop.adminSaveDiscount({ code: `X${mark}`, label: '', kind: 'percent', value: 10, active: true })
  await shop.adminSaveDiscount({ code: `x${mark}`, label: 'Free', kind: 'shipping', value: 10, active: true })
  const saved = (await shop.adminListDiscounts()).find(({ code }) => code === `X${mark}`.toUpperCase())
  check(saved?.['kind'] === 'shipping', 'GET /admin/discounts', 'the changed code', saved)
  await shop.adminSaveDiscount({ ...saved, label: 'Free shipping' })
  await shop.adminDeleteDiscount(`X${mark}`)
}

async function configure(shop: Adapter): Promise<void> {
  const saved = await shop.adminUpdateSettings(DOCUMENT)
  for (const key of Object.keys(DOCUMENT)) {
    check(
      isSubsetOf(DOCUMENT[key], saved[key]),
      `PATCH /admin/storefront ${key}`,
      JSON.stringify(DOCUMENT[key]),
      saved[key],
    )
  }
  const { notifications: _notForVisitors, ...visible } = DOCUMENT
  const shown = await shop.getStorefront()
  for (const key of Object.keys(visible))
    check(isSubsetOf(visible[key], shown[key]), `GET /storefront ${key}`, 'the same', shown[key])
  await shop.adminUpdateSettings(shown)
}

/** Whether a value contains everything of another one; lists are compared item by item. */
function isSubsetOf(wanted: unknown, got: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(got) && got.length === wanted.length && wanted.every((each, index) => isSubsetOf(each, got[index]))
    )
  }
  if (!isObject(wanted)) return wanted === got
  return isObject(got) && Object.keys(wanted).every((key) => isSubsetOf(wanted[key], got[key]))
}

async function sendTestMail(shop: Adapter, adminEmail: string): Promise<void> {
  itemsOf({ ...(await shop.adminGetCredentials()), total: 0 }, 'GET /admin/credentials')
  const sent = await shop.adminSendTestNotification({ event: 'orderPlaced' })
  check(sent['delivered'] === true, 'POST /admin/notifications/test', 'delivered', sent)
  check(objectAt(sent['preview'], 'preview')['to'] === adminEmail, 'preview.to', adminEmail, sent['preview'])
}

async function fulfillAndRefund(shop: Adapter): Promise<void> {
  shop.dropCart()
  await shop.addToCart(await buyable(shop), 1)
  const { id, total } = await shop.checkout({
    email: 'x@example.com',
    shippingAddress: ADDRESS,
    shippingMethod: 'standard',
  })
  const orderId = textAt(id, 'order.id')
  await until(async () => (await shop.getOrder(orderId))['status'] === 'paid')
  await shop.adminUpdateOrder(orderId, { status: 'fulfilled', tracking: { carrier: 'DHL', code: '1', url: '' } })
  const refunded = await shop.adminRefundOrder(orderId, { amount: 100, reason: 'Late', restock: false })
  moneyAt(refunded['refundedTotal'], 'refundedTotal')
  moneyAt(objectAt(listAt(refunded['refunds'], 'refunds')[0], 'refund')['amount'], 'refunds[].amount')
  check(moneyAt(total, 'total').amount > 100, 'total', 'more than the refund', total)
  await shop.adminListOrders({ q: orderId })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new ContractFailure('a state that was waited for', 'within a minute', 'never')
}
