import { Customer, type CustomerAddress } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const HOME = {
  name: 'Ada Lovelace',
  line1: '1 Main Street',
  line2: '',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  country: 'US',
  phone: '',
}

/** A new customer's address book. */
async function openAddressBook() {
  const { customer } = await shop.register()
  const headers = shop.as(customer.id)
  const send = (method: 'POST' | 'PATCH' | 'DELETE', path = '', body?: unknown) =>
    shop.call(method, `/me/addresses${path}`, body, headers)
  const written = async (...call: Parameters<typeof send>): Promise<CustomerAddress[]> => {
    const response = await send(...call)
    expect(response.status).toBe(200)
    return Customer.parse(response.body).addresses
  }
  return { customer, send, written }
}

const defaultsOf = (addresses: CustomerAddress[]) =>
  addresses.filter((address) => address.isDefault).map((address) => address.line1)

const named = (line1: string) => ({ line1 })

describe('the address book', () => {
  test('returns the whole customer; the first address is the default, a later one on request', async () => {
    const { customer, send, written } = await openAddressBook()
    const first = await send('POST', '', { ...HOME, country: 'us', city: ' Springfield ' })
    expect(first.body).toEqual({
      ...customer,
      addresses: [{ ...HOME, id: expect.stringMatching(/^addr_[0-9a-f]{32}$/), isDefault: true }],
    })
    const second = await written('POST', '', named('2'))
    expect(second.map((address) => address.line1)).toEqual(['1 Main Street', '2'])
    expect(defaultsOf(second)).toEqual(['1 Main Street'])
    expect(defaultsOf(await written('POST', '', { ...named('3'), isDefault: true }))).toEqual(['3'])
  })

  test('changes one address, keeps omitted fields, and always has a default', async () => {
    const { written } = await openAddressBook()
    await written('POST', '', HOME)
    const [one, two] = await written('POST', '', named('2'))
    const changed = await written('PATCH', `/${two?.id}`, { city: 'Shelbyville', isDefault: true })
    expect(changed[1]).toMatchObject({ line1: '2', city: 'Shelbyville' })
    expect(defaultsOf(changed)).toEqual(['2'])
    expect(changed[0]).toEqual({ ...one, isDefault: false })
    // An address book always has a default, and the request names no other one.
    expect(defaultsOf(await written('PATCH', `/${two?.id}`, { isDefault: false }))).toEqual(['2'])
  })

  test('makes the oldest address the default when the default is removed', async () => {
    const { written } = await openAddressBook()
    for (const line1 of ['1', '2', '3']) await written('POST', '', named(line1))
    const [, two] = await written('POST', '', { ...named('4'), isDefault: true })
    const afterOther = await written('DELETE', `/${two?.id}`)
    expect(defaultsOf(afterOther)).toEqual(['4'])
    const afterDefault = await written('DELETE', `/${afterOther.at(-1)?.id}`)
    expect(afterDefault.map((address) => [address.line1, address.isDefault])).toEqual([
      ['1', true],
      ['3', false],
    ])
    for (const { id } of afterDefault) await written('DELETE', `/${id}`)
    expect(defaultsOf(await written('POST', '', named('new')))).toEqual(['new'])
  })

  test('keeps exactly one default under concurrent writes', async () => {
    const { written } = await openAddressBook()
    const isDefault = true
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => written('POST', '', { ...named(`${index}`), isDefault })),
    )
    const full = await written('POST', '', named('last'))
    expect(full).toHaveLength(13)
    expect(defaultsOf(full)).toHaveLength(1)
    await Promise.all(
      full
        .slice(0, 12)
        .map(({ id }, index) => (index % 2 ? written('DELETE', `/${id}`) : written('PATCH', `/${id}`, { isDefault }))),
    )
    const left = await written('POST', '', named('after'))
    expect(left).toHaveLength(8)
    expect(defaultsOf(left)).toHaveLength(1)
  })

  test('does not contain addresses of others, and cannot be read without a session', async () => {
    const [mine, theirs] = [await openAddressBook(), await openAddressBook()]
    const [address] = await theirs.written('POST', '', HOME)
    const notFound = { status: 404, code: 'not_found' }
    for (const id of [address?.id, 'addr_unknown', 'x'.repeat(200)]) {
      expect(errorOf(await mine.send('PATCH', `/${id}`, { city: 'Elsewhere', isDefault: true }))).toEqual(notFound)
      expect(errorOf(await mine.send('DELETE', `/${id}`))).toEqual(notFound)
    }
    expect(await theirs.written('PATCH', `/${address?.id}`, {})).toEqual([address])
    for (const method of ['PATCH', 'DELETE'] as const) {
      const response = await shop.call(method, `/me/addresses/${address?.id}`, method === 'PATCH' ? {} : undefined)
      expect(errorOf(response)).toEqual({ status: 401, code: 'unauthenticated' })
    }
  })

  test('accepts no empty address and no more than fifty', async () => {
    const { written, send } = await openAddressBook()
    const missing = { status: 422, code: 'missing_fields' }
    expect(errorOf(await send('POST', '', {}))).toEqual(missing)
    expect(errorOf(await send('POST', '', { line1: '  ' }))).toEqual(missing)
    const [address] = await written('POST', '', named('1'))
    expect(errorOf(await send('PATCH', `/${address?.id}`, { line1: '' }))).toEqual(missing)
    await shop.suite.sql(
      `insert into identity.addresses
         (id, customer_id, name, line1, line2, city, region, postal_code, country, phone, is_default)
       select id || each, customer_id, name, line1, line2, city, region, postal_code, country, phone, false
       from identity.addresses, generate_series(1, 48) as each where id = $1`,
      [address?.id],
    )
    expect(await written('POST', '', named('50'))).toHaveLength(50)
    expect(errorOf(await send('POST', '', named('51')))).toEqual({ status: 422, code: 'validation_failed' })
  })

  test('accepts countries of ISO 3166-1 in upper or lower case, and names the allowed form for others', async () => {
    const { written, send } = await openAddressBook()
    const [address] = await written('POST', '', { ...HOME, country: ' gb ' })
    expect(address?.country).toBe('GB')
    expect((await written('PATCH', `/${address?.id}`, { country: 'de' }))[0]?.country).toBe('DE')
    for (const country of ['12', 'USA', 'UK', 'ßß', 'Germany']) {
      for (const response of [
        await send('POST', '', { ...HOME, country }),
        await send('PATCH', `/${address?.id}`, { country }),
      ]) {
        expect(response).toMatchObject({
          status: 422,
          body: {
            code: 'validation_failed',
            message: 'Please choose the country of the address from the list.',
            detail: {
              issues: [{ path: 'country', message: `must be an ISO 3166-1 alpha-2 code such as GB, not "${country}"` }],
            },
          },
        })
      }
    }
    expect((await written('PATCH', `/${address?.id}`, { country: '' }))[0]?.country).toBe('')
  })

  test('shows a country that an older version stored, and keeps it until it is changed', async () => {
    const { written } = await openAddressBook()
    const [address] = await written('POST', '', HOME)
    await shop.suite.sql(`update identity.addresses set country = '12' where id = $1`, [address?.id])
    expect(await written('PATCH', `/${address?.id}`, { phone: '+1 555' })).toMatchObject([
      { country: '12', phone: '+1 555' },
    ])
    expect(await written('PATCH', `/${address?.id}`, { country: 'us' })).toMatchObject([{ country: 'US' }])
  })
})
