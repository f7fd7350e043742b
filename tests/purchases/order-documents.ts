import { beforeAll, expect, test } from 'vitest'
import type { Order } from '@storefront/contracts'
import { waitForPayment } from '../support/paid-order.ts'
import type { TestShop } from '../support/shop.ts'

let shop: TestShop
let order: Order

async function download(name: string, encoding: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${shop.shop.url}/admin/orders/${order.id}/${name}`, {
    headers: { authorization: `Bearer ${shop.admin.token}`, 'accept-encoding': encoding },
  })
  expect(response.status).toBe(200)
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Its table of contents is where its last lines say, so no byte before is missing or changed. */
function expectWhole(bytes: Buffer): void {
  expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  const start = /startxref\n(\d+)\n%%EOF\n$/.exec(bytes.toString('latin1'))?.[1]
  expect(bytes.subarray(Number(start)).toString('latin1')).toMatch(/^xref\n/)
}

/** The tests of this file, with the shop that is open when they start; it has printed no invoice. */
export function testOrderDocuments(opened: () => TestShop): void {
  beforeAll(async () => {
    shop = opened()
    const { variants } = await shop.stockProduct('printed-shirt', 10)
    const { id } = await shop.client().buy(variants[0]?.id ?? '', 2)
    order = await waitForPayment(shop.admin, `/admin/orders/${id}`)
  })

  test.each([
    ['packing-slip.pdf', () => `packing-slip-${order.number}.pdf`],
    ['invoice.pdf', () => 'invoice-INV-000001.pdf'],
  ])('the gateway passes %s unchanged, whatever encoding the client accepts', async (name, fileName) => {
    const plain = await download(name, 'identity')
    expectWhole(plain.bytes)
    for (const { headers, bytes } of [plain, await download(name, 'gzip, br, zstd')]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${fileName()}"`,
        'content-length': String(plain.bytes.length),
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      expect(headers.has('content-encoding')).toBe(false)
      expect(bytes.equals(plain.bytes)).toBe(true)
    }
  })
}
