import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ResolveName } from '@storefront/http'
import { waitFor } from '@storefront/service/testing'
import { createWebhookSender, type WebhookResponse, type WebhookSender } from './send-webhook.ts'

let server: Server
let port = 0
let connections = 0
let hosts: (string | undefined)[] = []
let answer: (response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => {
    hosts.push(request.headers.host)
    answer(response)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address !== null && typeof address === 'object') port = address.port
})
beforeEach(() => {
  connections = 0
  hosts = []
  answer = (response) => response.end('inside')
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const to =
  (...addresses: string[]): ResolveName =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

async function using<Result>(
  options: { allowPrivate: boolean; operatorsUrl?: string; resolve: ResolveName; timeoutMs?: number },
  work: (sender: WebhookSender) => Promise<Result>,
): Promise<Result> {
  const sender = createWebhookSender({ timeoutMs: 2000, ...options })
  try {
    return await work(sender)
  } finally {
    await sender.close()
  }
}

const post = (sender: WebhookSender, url: string, { signal } = new AbortController()): Promise<WebhookResponse> =>
  sender.send(url, { 'webhook-id': 'evt_1' }, '{}', signal)

const REJECTED = { status: null, answer: null, error: expect.stringContaining('leads to a private address') }

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  '①②⑦.0.0.1',
  '127\u30020\uFF0E0\uFF611',
  '127.0.0.1.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
])('no connection is made to the private %s, in any spelling', async (host) => {
  const resolve: ResolveName = () => expect.fail('an address is not resolved')
  const response = await using({ allowPrivate: false, resolve }, (sender) => post(sender, `http://${host}:${port}/`))
  expect(response).toMatchObject(REJECTED)
  expect(connections).toBe(0)
})

test.each([['127.0.0.1'], ['::1'], ['93.184.216.34', '127.0.0.1'], ['127.0.0.1', '93.184.216.34'], ['::ffff:7f00:1']])(
  'no connection is made to a name that resolves to %s %s',
  async (...addresses) => {
    const options = { allowPrivate: false, resolve: to(...addresses.filter((address) => address !== undefined)) }
    const results = await using(options, async (sender) => [
      await post(sender, `http://shop.example:${port}/`),
      await post(sender, `https://shop.example:${port}/`),
    ])
    for (const response of results) expect(response).toMatchObject(REJECTED)
    expect(connections).toBe(0)
  },
)

test('allowed private addresses are resolved in the same way, and the Host header is that of the URL', async () => {
  const response = await using({ allowPrivate: true, resolve: to('127.0.0.1') }, (sender) =>
    post(sender, `http://Shop.example.:${port}/`),
  )
  expect(response).toMatchObject({ status: 200, error: null, answer: 'inside' })
  expect(hosts).toEqual([`shop.example.:${port}`])
})

test('the address of the operator may be private, and every other one is still rejected', async () => {
  const operatorsUrl = `http://localhost:${port}/api/revalidate`
  const options = { allowPrivate: false, operatorsUrl, resolve: to('127.0.0.1') }
  const [operators, other] = await using(options, async (sender) => [
    await post(sender, operatorsUrl),
    await post(sender, `${operatorsUrl}/`),
  ])
  expect(operators).toMatchObject({ status: 200, error: null, answer: 'inside' })
  expect(other).toMatchObject(REJECTED)
  expect(connections).toBe(1)
})

describe('a response', () => {
  const inside = { allowPrivate: true, resolve: to('127.0.0.1') }
  const url = () => `http://127.0.0.1:${port}/`

  test('that does not end in time counts by its status, with what has arrived of it', async () => {
    answer = (response) => {
      response.writeHead(503, { 'retry-after': '7' })
      response.write('not\0 now')
    }
    const response = await using({ ...inside, timeoutMs: 1000 }, (sender) => post(sender, url()))
    expect(response).toMatchObject({ status: 503, error: 'the status is not 2xx', answer: 'not now', retryAfter: '7' })
  })

  test('that does not begin in time is none, nor is one whose request its caller aborts', async () => {
    answer = () => {}
    const late = await using({ ...inside, timeoutMs: 500 }, (sender) => post(sender, url()))
    expect(late).toMatchObject({ status: null, error: 'no response in time', answer: null })
    hosts = []
    const stopping = new AbortController()
    answer = () => stopping.abort(new Error('stopping'))
    const aborted = await using(inside, async (sender) => [
      await post(sender, url(), stopping),
      await post(sender, url(), stopping),
    ])
    const none = { status: null, error: 'stopping', answer: null }
    expect(aborted).toMatchObject([none, none])
    expect(hosts).toHaveLength(1)
  })

  test('to a name that is not resolved is not waited for when its caller aborts, nor after the timeout', async () => {
    const never = { allowPrivate: true, resolve: () => new Promise<never>(() => {}) }
    const stopping = new AbortController()
    const aborted = await using({ ...never, timeoutMs: 60_000 }, (sender) => {
      const response = post(sender, 'http://hooks.example/', stopping)
      stopping.abort(new Error('stopping'))
      return response
    })
    expect(aborted).toMatchObject({ status: null, error: 'stopping' })
    const late = await using({ ...never, timeoutMs: 200 }, (sender) => post(sender, 'http://hooks.example/'))
    expect(late).toMatchObject({ status: null, error: 'no response in time' })
  })

  test('is read up to 4 KB, and the connection of a longer one is closed', async () => {
    let isCut = false
    answer = (response) => {
      response.on('close', () => (isCut = !response.writableFinished))
      response.end('x'.repeat(20_000_000))
    }
    const response = await using(inside, async (sender) => {
      const received = await post(sender, url())
      await waitFor('the end of the connection', () => isCut)
      return received
    })
    expect(response).toMatchObject({ status: 200, error: null, answer: 'x'.repeat(4096) })
  })
})
