import { createHmac, hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { rm } from 'node:fs/promises'
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect } from 'vitest'
import { Media } from '@storefront/contracts'
import { temporaryFolder, type Suite } from '@storefront/tools/testing'

export const RED = { r: 200, g: 30, b: 30 }

/** A picture of one color; the number makes its bytes differ from those of others. */
export function plain(width: number, height: number, seed = 0): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30 + seed, b: 30 } } })
}

export const jpeg = (width: number, height: number, seed = 0) => plain(width, height, seed).jpeg().toBuffer()

/** Uploads a picture as a merchant does. */
export async function uploadPicture(catalog: { url: string }, suite: Suite, bytes: Buffer, name = 'shirt.jpg') {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(`${catalog.url}/admin/media`, { method: 'POST', headers: suite.headers.admin(), body })
  expect(response.status).toBe(201)
  return Media.parse(await response.json())
}

/** The end of a PNG header: bits of a sample, color type, compression, filter, and whether it is interlaced. */
const RGB_8 = [8, 2, 0, 0, 0]

/** A decompression bomb of 57 bytes: a PNG that declares a size and contains no pixels. */
export function hollowPng(width: number, height: number, kind = RGB_8): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(kind, 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(0)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface FakeS3 {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}
type FakeS3Class = new (options: Record<string, unknown>) => FakeS3

export const S3_KEY_ID = 'S3RVER'
export const S3_SECRET = 'a-secret-of-the-bucket'
export const BUCKET = 'pictures'

type Disturbance = (method: string, url: string) => number | 'silence' | undefined

export interface S3Server {
  /** The address of a proxy that checks signatures and can disturb requests, in front of a server for the protocol. */
  endpoint: string
  /**
   * What happens to each request before it arrives: another response, no response, or nothing. Only to those with
   * `about` in their path, when it is given.
   */
  disturb: (with_: Disturbance | undefined, about?: string) => void
  stop(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const S3rver: FakeS3Class = createRequire(import.meta.url)('s3rver')
  const directory = await temporaryFolder('storefront-s3')
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: BUCKET }] }
  const s3 = new S3rver({ ...options, vhostBuckets: false })
  const { port } = await s3.run()
  let writing = Promise.resolve()
  const disturbances = new Map<string, Disturbance>()
  const front = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const disturbance = [...disturbances].find(([about]) => url.includes(about))?.[1]
    const verdict = disturbance?.(method, url)
    if (verdict === 'silence') return
    if (verdict !== undefined) {
      incoming.resume()
      outgoing.writeHead(verdict).end(`<Error><Code>SlowDown</Code><Secret>${S3_SECRET}</Secret></Error>`)
      return
    }
    void readWhole(incoming).then((body) => {
      const fault = faultOf(incoming, body)
      if (fault !== undefined) {
        outgoing.writeHead(403).end(`<Error><Code>${fault}</Code></Error>`)
        return
      }
      const pass = () =>
        new Promise<void>((resolve) => {
          if (outgoing.destroyed) resolve()
          outgoing.once('close', resolve)
          forward({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
            outgoing.writeHead(response.statusCode ?? 502, response.headers)
            response.pipe(outgoing)
          }).end(body)
        })
      // One write at a time: the server would end the process when a deletion removes the folder of a file.
      if (method === 'GET' || method === 'HEAD') void pass()
      else writing = writing.then(pass)
    })
  })
  const address = await listening(front)
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    disturb(with_, about = '') {
      if (with_) disturbances.set(about, with_)
      else disturbances.delete(about)
    },
    async stop() {
      front.closeAllConnections()
      front.close()
      await s3.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens nowhere')
  return address
}

async function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const piece of incoming) chunks.push(Buffer.from(piece))
  return Buffer.concat(chunks)
}

/** The reason why S3 would reject a request: the server behind the proxy accepts any signature of version 4. */
function faultOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  const sent = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  const [, credential = '', signedHeaders = '', signature = ''] = sent ?? []
  const [keyId, date = '', region = '', service = ''] = credential.split('/')
  if (keyId !== S3_KEY_ID) return 'InvalidAccessKeyId'
  const [path = '', query = ''] = url.split('?')
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (body.length > 0 && bodyHash !== hash('sha256', body)) return 'XAmzContentSHA256Mismatch'
  const canonical = [
    method,
    path,
    query.split('&').toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    signedHeaders,
    bodyHash,
  ].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, hash('sha256', canonical)].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${S3_SECRET}`))
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

function hmac(key: Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
