import { describe, expect, test } from 'vitest'
import type { ResolveName } from '@storefront/http'
import { requireGoodUrl } from './require-good-url.ts'

const to =
  (...addresses: string[]): ResolveName =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )
const lost: ResolveName = (_hostname, _options, callback) => callback(new Error('not found'), [])
const check = (url: string, resolve: ResolveName, allowPrivate = false) =>
  requireGoodUrl(url, { allowPrivate, resolve })

describe('the address of an endpoint', () => {
  test.each(['https://shop.example/hooks?key=1', 'http://shop.example:8080', 'HTTPS://shop.example/'])(
    'may be %s',
    (url) => expect(check(url, lost)).resolves.toBeUndefined(),
  )

  test.each([
    '',
    'shop.example/hooks',
    '//shop.example',
    'https:shop.example',
    'https://',
    'ftp://shop.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://ada:secret@shop.example',
    'https://ada@shop.example',
    'https://shop.example/#part',
    'https://shop.example/#',
    'https://shop.example/a b',
    'https://shop.example/\n',
    'https:\\\\shop.example',
    'https://[::1',
    'https://[fe80::1%25eth0]',
    'https://sh\u00ADop.example',
    'https://shop\u200B.example',
    'https://shop.example/\u202Egnp',
    'https://shop.example%0d%0aHost:%20inside',
    'https://shop.example:0',
    'https://shop.example:65536',
    'https://.',
    'https://shop..example',
    'https://127.0.0.1..',
    `https://shop.example/${'x'.repeat(2000)}`,
  ])('may not be %j', (url) => expect(check(url, lost, true)).rejects.toMatchObject({ code: 'validation_failed' }))

  test.each([
    'http://127.0.0.1',
    'http://127.0.0.1.',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://%31%32%37.0.0.1',
    'http://①②⑦.0.0.1',
    'http://127\u30020\uFF0E0\uFF611',
    'http://0x7f.1',
    'http://017700000001',
    'http:///127.0.0.1',
    'http://168.63.129.16',
    'http://[::127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::ffff:8.8.8.8]',
    'http://[64:ff9b:1::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://[fe80::1]',
    'http://0',
    'http://10.0.0.1',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[fd00::1]',
  ])('may not be the private %s, in any spelling', async (url) => {
    await expect(check(url, lost)).rejects.toMatchObject({
      code: 'validation_failed',
      detail: { issues: [{ path: 'url', message: 'must not lead to a private address' }] },
    })
    await expect(check(url, lost, true)).resolves.toBeUndefined()
  })

  test('may not be a name of which any address is private', async () => {
    await expect(check('https://shop.example', to('93.184.216.34', '10.0.0.1'))).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(check('https://shop.example', to('93.184.216.34'))).resolves.toBeUndefined()
  })

  test('may be a name that does not resolve now: every connection checks again', async () => {
    await expect(check('https://shop.example', lost)).resolves.toBeUndefined()
  })
})
