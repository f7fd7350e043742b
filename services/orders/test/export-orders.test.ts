import { request } from 'node:http'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BUYER, createShop, orderOf, errorOf, searchIndexed, stopQueueing, usd, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  shop.stock.set('var_l', 1000)
})
afterAll(() => shop.stop())

const admin = () => shop.suite.headers.admin(['orders:read'])
const place = async (buyer: object = {}, lines: Record<string, number> = { var_m: 1 }) =>
  orderOf(await shop.checkOut(shop.addCart(lines, { checkoutMode: 'api' }).id, { ...BUYER, ...buyer }))
const set = (id: string, assignments: string, ...values: unknown[]) =>
  shop.suite.sql(`update orders.orders set ${assignments} where id = $1`, [id, ...values])
const changeAddress = (id: string, fields: object) =>
  set(id, `document = jsonb_set(document, '{shippingAddress}', document -> 'shippingAddress' || $2::jsonb)`, fields)
const download = async (query: string) => {
  const { statusCode, headers, body } = await shop.orders.app.inject({
    url: `/admin/orders/export${query}`,
    headers: admin(),
  })
  expect(statusCode).toBe(200)
  return { headers, body }
}
const Rows = z.array(z.record(z.string(), z.string()))
/** The rows of a file as a spreadsheet reads them. */
const rowsOf = (body: string) => Rows.parse(parse(body, { bom: true, columns: true }))
const exported = async (query: string) => rowsOf((await download(query)).body)

/** Copies of an order, each a minute older, without placing them one by one. */
async function copy(id: string, count: number, change = '{}'): Promise<void> {
  await shop.suite.sql(
    `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status)
     select id || '-' || each, number || '-' || each, cart_id || each, email, status,
       placed_at - each * interval '1 minute', document || $3::jsonb, payment_provider, payment_status
     from orders.orders, generate_series(1, $2::int) as each where id = $1`,
    [id, count, change],
  )
}

describe('an export', () => {
  test('is a file with a row for each line; the fields of the whole order are in its first row', async () => {
    const { id, number, placedAt } = await place({ email: 'rows@mail.example' }, { var_m: 2, var_l: 1 })
    await set(
      id,
      `customer_id = 'cus_ada', payment_reference = 'pay_1', refunded_minor = 5, attention = 'refund_due',
       tracking = '{"carrier": "UPS", "code": "1Z", "url": "https://ups.example/1Z"}',
       document = jsonb_set(document, '{lines,0,sku}', '"LS-M"')`,
    )
    const { headers, body } = await download('?customer=rows@mail.example')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/)
    expect(headers['cache-control']).toBe('private, no-store')
    // A spreadsheet recognizes UTF-8 by the first character.
    expect(body.startsWith('\ufeffName,Email,Financial Status,Fulfillment Status,')).toBe(true)
    expect(body.endsWith('\r\n')).toBe(true)
    const [first, second, ...others] = rowsOf(body)
    expect(others).toEqual([])
    expect(first).toEqual({
      Name: number,
      Email: 'rows@mail.example',
      'Financial Status': 'pending',
      'Fulfillment Status': 'unfulfilled',
      Status: 'placed',
      Currency: 'USD',
      Subtotal: '120.00',
      Shipping: '6.00',
      Taxes: '3.20',
      Total: '129.20',
      'Discount Code': '',
      'Discount Amount': '0.00',
      'Shipping Method': 'standard',
      'Created at': placedAt,
      'Lineitem quantity': '2',
      'Lineitem name': expect.stringMatching(/^Linen shirt - (Sand \/ M|M \/ Sand)$/),
      'Lineitem price': '40.00',
      'Lineitem total': '80.00',
      'Lineitem sku': 'LS-M',
      'Shipping Name': 'Ada',
      'Shipping Address1': '1 Way',
      'Shipping Address2': '',
      'Shipping City': 'LA',
      'Shipping Zip': '90001',
      'Shipping Province': 'CA',
      'Shipping Country': 'US',
      'Shipping Phone': '',
      'Tracking Company': 'UPS',
      'Tracking Number': '1Z',
      'Tracking URL': 'https://ups.example/1Z',
      'Payment Provider': 'invoice',
      'Payment Method': '',
      'Payment Reference': 'pay_1',
      'Refunded Amount': '0.05',
      Attention: 'refund_due',
      Tags: '',
      'Customer Id': 'cus_ada',
      Id: id,
    })
    const filled = Object.entries(second ?? {}).filter(([, cell]) => cell !== '')
    expect(Object.fromEntries(filled)).toEqual({
      Name: number,
      Email: 'rows@mail.example',
      'Lineitem quantity': '1',
      'Lineitem name': expect.stringMatching(/^Linen shirt - (Sand \/ L|L \/ Sand)$/),
      'Lineitem price': '40.00',
      'Lineitem total': '40.00',
      Id: id,
    })
  })

  test('contains no formula, whatever a buyer typed, and every other character', async () => {
    const { id } = await place({ email: 'formula@mail.example' })
    const cells = {
      name: '=HYPERLINK("https://evil.example","Ada")',
      line1: '+1',
      line2: '-1',
      city: '@SUM(A1)',
      region: '\t=1',
      postalCode: '\r=1',
      phone: '＝1',
    }
    await changeAddress(id, cells)
    const [row] = await exported('?customer=formula@mail.example')
    expect(row).toMatchObject({
      'Shipping Name': `'${cells.name}`,
      'Shipping Address1': "'+1",
      'Shipping Address2': "'-1",
      'Shipping City': "'@SUM(A1)",
      'Shipping Province': "'\t'=1",
      'Shipping Zip': "'\r'=1",
      'Shipping Phone': "'＝1",
    })
    const inside = { name: 'A;=1;B', line1: 'a\t@x', line2: 'b\n+1;-2', city: 'c,=1', region: 'd;＝1', phone: '0 1;2' }
    await changeAddress(id, inside)
    const { body } = await download('?customer=formula@mail.example')
    expect(body).toContain(`,"A;'=1;B","a\t'@x","b\n'+1;'-2","c,=1",`)
    expect(body).toContain(`,"d;'＝1",`)
    // What spreadsheets with these separators find in their cells.
    for (const separator of [';', '\t']) {
      const cells = body.split(/\r?\n/).flatMap((line) => line.split(separator))
      expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([])
    }
    const odd = { name: 'Zoë "Zo" Ångström,\r\n2nd floor; 李', line1: "O'Neill = x" }
    await changeAddress(id, odd)
    expect((await exported('?customer=formula@mail.example'))[0]).toMatchObject({
      'Shipping Name': odd.name,
      'Shipping Address1': odd.line1,
    })
  })

  test('formats amounts by their currency', async () => {
    const { id } = await place({ email: 'yen@mail.example' })
    await set(id, `document = document || '{"total": {"amount": 12000, "currency": "JPY"}}'`)
    expect((await exported('?customer=yen@mail.example'))[0]).toMatchObject({ Currency: 'JPY', Total: '12000' })
  })

  test('has the orders of its filters, each once however many batches they take, newest first', async () => {
    const { id, number } = await place({ email: 'many@mail.example' })
    await copy(id, 120)
    await set(`${id}-7`, `status = 'delivered', attention = 'refund_due'`)
    const newest = [number, ...Array.from({ length: 120 }, (_, index) => `${number}-${index + 1}`)]
    const names = async (query: string) => (await exported(query)).map((row) => row['Name'])
    expect(await names('?customer=many@mail.example')).toEqual(newest)
    expect(await names('?customer=many@mail.example&sort=oldest')).toEqual(newest.toReversed())
    expect(await names('?customer=many@mail.example&sort=total-desc')).toEqual(newest)
    expect(await names('?customer=many@mail.example&fulfilment=delivered')).toEqual([`${number}-7`])
    await searchIndexed(shop.suite)
    expect(await names('?q=many@mail.example&status=placed')).toEqual(newest.filter((name) => name !== `${number}-7`))
  })

  test('without orders has only the names of its columns', async () => {
    for (const query of ['?customer=cus_nobody', '?q=!!!', '?fulfilment=delivered&status=placed']) {
      const { body } = await download(query)
      expect(body.split('\r\n')).toEqual([expect.stringMatching(/^\ufeffName,.*,Id$/), ''])
    }
  })

  test('requires the permission to read orders, in a sort that does not change while it runs', async () => {
    const get = (query: string, headers: object) => shop.call('GET', `/admin/orders/export${query}`, undefined, headers)
    expect((await get('', {})).status).toBe(401)
    expect((await get('', shop.suite.headers.customer('cus_ada'))).status).toBe(403)
    expect((await get('', shop.suite.headers.admin(['catalog:read']))).status).toBe(403)
    expect(errorOf(await get('?sort=attention', admin()))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      detail: { issues: [{ message: 'must be one of newest, oldest, total-desc, total-asc, not "attention"' }] },
    })
  })

  test('reads no further than its client: an order that is deleted while the client waits is not in it', async () => {
    const { id } = await place({ email: 'large@mail.example' })
    const line = { title: 'x'.repeat(1000), options: {}, quantity: 1, unitPrice: usd(1), lineTotal: usd(1) }
    const queueAgain = await stopQueueing(shop.suite)
    await copy(id, 2000, JSON.stringify({ lines: Array.from({ length: 20 }, () => line) }))
    await queueAgain()
    let bytes = 0
    await new Promise<void>((resolve, reject) => {
      const url = `${shop.orders.url}/admin/orders/export?customer=large@mail.example`
      const sent = request(url, { headers: admin() }, (response) => {
        response.once('data', (chunk: Buffer) => {
          bytes += chunk.length
          response.pause()
          shop.suite
            .sql(`delete from orders.orders where id like $1`, [`${id}-%`])
            .then(() => response.on('data', (more: Buffer) => (bytes += more.length)).resume(), reject)
        })
        response.once('end', resolve).once('error', reject)
      })
      sent.once('error', reject).end()
    })
    // Some megabytes are in the buffers of the connection.
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThan(20 * 1024 * 1024)
  })
})
