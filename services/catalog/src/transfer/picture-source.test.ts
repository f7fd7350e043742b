import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isPrivateAddress, type ResolveName } from '@storefront/http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPictureSource, type PictureSource, type PictureSourceOptions } from './picture-source.ts'

const MIB = 1024 * 1024
/** 127.0.0.1 simulates the public internet, and the other addresses of this machine are private. */
const isPrivate = (address: string) => address !== '127.0.0.1'

let server: Server
let port: number
let seen: IncomingMessage[]
let handle: (request: IncomingMessage, response: ServerResponse) => void
let names: Record<string, string[]>
let sources: PictureSource[]

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
beforeEach(() => {
  seen = []
  sources = []
  names = { 'cdn.example': ['127.0.0.1'] }
  handle = (_request, response) => response.end('picture')
})
afterEach(async () => {
  for (const source of sources) await source.close()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Each look-up of a name gets its next address, the last one repeatedly. */
const resolve: ResolveName = (hostname, _options, callback) => {
  const known = names[hostname] ?? []
  const address = known.length > 1 ? known.shift() : known[0]
  const found: LookupAddress[] = address === undefined ? [] : [{ address, family: 4 }]
  callback(found.length === 0 ? Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }) : null, found)
}

function open(options: Partial<PictureSourceOptions> = {}): PictureSource {
  const source = createPictureSource({ isPrivate, resolve, timeoutMs: 5000, pauseMs: 1, ...options })
  sources.push(source)
  return source
}

const at = (path: string, host = 'cdn.example') => `http://${host}:${port}${path}`
const faultOf = (url: string, options: Partial<PictureSourceOptions> = {}) =>
  open(options)
    .fetch(url)
    .then(
      () => 'fetched',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )

test('a picture is fetched unchanged, without compression and without headers of this shop', async () => {
  expect((await open().fetch(at('/a.jpg?v=1'))).toString()).toBe('picture')
  const [request] = seen
  expect(request?.url).toBe('/a.jpg?v=1')
  expect(request?.headers).toEqual({
    host: `cdn.example:${port}`,
    connection: 'keep-alive',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'storefront-import/1',
  })
})

describe('a redirect', () => {
  test('is followed, by name and by address', async () => {
    const steps: Record<string, string> = {
      '/1': '/2',
      '/2': at('/3', '127.0.0.1'),
      '/3': `//cdn.example:${port}/4`,
    }
    handle = ({ url = '' }, response) => {
      const location = steps[url]
      if (location === undefined) response.end('picture')
      else response.writeHead(302, { location }).end()
    }
    expect((await open().fetch(at('/1'))).toString()).toBe('picture')
    expect(seen.map(({ url }) => url)).toEqual(['/1', '/2', '/3', '/4'])
  })

  test('is not followed endlessly', async () => {
    handle = ({ url = '' }, response) => response.writeHead(301, { location: `${url}x` }).end()
    expect(await faultOf(at('/'))).toBe('redirects more than 5 times')
    expect(seen).toHaveLength(6)
  })

  test.each([
    ['a private address', () => at('/secret', '127.0.0.2'), 'leads to a private address'],
    ['a name with a private address', () => at('/secret', 'inside.example'), 'leads to a private address'],
    ['another protocol', () => 'file:///etc/passwd', 'does not lead to an http or https address'],
    ['an address with a password', () => at('/', 'me:secret@cdn.example'), 'must not contain a user name or password'],
    ['an invalid address', () => 'http://', 'does not lead to an http or https address'],
  ])('to %s is not followed', async (_what, location, fault) => {
    names['inside.example'] = ['127.0.0.2']
    handle = (_request, response) => response.writeHead(302, { location: location() }).end()
    expect(await faultOf(at('/a.jpg'))).toBe(fault)
    expect(seen.map(({ url }) => url)).toEqual(['/a.jpg'])
  })
})

describe('a private address', () => {
  test.each(['http://127.0.0.1', 'http://[::1]', 'http://2130706433', 'http://169.254.169.254', 'http://0x7f.1'])(
    'written as %s is not connected to',
    async (origin) => {
      expect(await faultOf(`${origin}:${port}/`, { isPrivate: isPrivateAddress })).toBe('leads to a private address')
      expect(seen).toEqual([])
    },
  )

  test('behind a name is not connected to, even if the name gets it later', async () => {
    names['inside.example'] = ['127.0.0.2']
    expect(await faultOf(at('/', 'inside.example'))).toBe('leads to a private address')
    // The name server gives another address a moment later, which every new connection gets.
    names['turning.example'] = ['127.0.0.1', '127.0.0.2']
    expect(await faultOf(at('/', 'turning.example'))).toBe('fetched')
    expect(await faultOf(at('/', 'turning.example'))).toBe('leads to a private address')
    expect(seen).toHaveLength(1)
  })
})

describe('a picture that cannot be fetched', () => {
  test('is requested once after a permanent error, and twice after a temporary one', async () => {
    let status = 404
    handle = (_request, response) => response.writeHead(status).end('x'.repeat(100_000))
    expect(await faultOf(at('/'))).toBe('could not be fetched: the server replied with status 404')
    expect(seen).toHaveLength(1)
    status = 503
    expect(await faultOf(at('/'))).toBe('could not be fetched: the server replied with status 503')
    expect(seen).toHaveLength(3)
    handle = (_request, response) => (seen.length === 4 ? response.writeHead(429).end() : response.end('picture'))
    expect(await faultOf(at('/'))).toBe('fetched')
  })

  test('is reported when its host cannot be reached', async () => {
    expect(await faultOf('http://nowhere.example/')).toBe('could not be reached')
    expect(await faultOf('http://127.0.0.1:1/')).toBe('could not be reached')
    await expect(open().fetch('http://nowhere.example/')).rejects.toMatchObject({ isSilent: true })
  })

  test('is aborted when it does not arrive in time, even if data is still arriving', async () => {
    handle = ({ url }, response) => void (url === '/slow' && response.write('a'))
    const faults = await Promise.all(['/slow', '/silent'].map((path) => faultOf(at(path), { timeoutMs: 200 })))
    expect(faults).toEqual(['was not sent within 0.2 s', 'was not sent within 0.2 s'])
  })

  test('is reported when the connection closes too early', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.destroy())
    }
    expect(await faultOf(at('/'))).toBe('was not sent completely')
  })

  test('is aborted when it is too large, whatever its headers declare', async () => {
    handle = (_request, response) => response.writeHead(200, { 'content-length': String(21 * MIB) }).write('a')
    expect(await faultOf(at('/'))).toBe('has more than 20 MiB')
    let sent = 0
    handle = (_request, response) => {
      const part = Buffer.alloc(MIB)
      const write = (): void => {
        for (; !response.destroyed && sent < 200; sent++)
          if (!response.write(part)) return void response.once('drain', write)
        response.end()
      }
      write()
    }
    expect(await faultOf(at('/'))).toBe('has more than 20 MiB')
    expect(sent).toBeLessThan(200)
  })
})
