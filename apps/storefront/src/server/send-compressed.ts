import { brotliCompress, constants, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { Reply, Request } from './storefront.ts'

const compressWithBrotli = promisify(brotliCompress)
const compressWithGzip = promisify(gzip)

interface Compressible {
  body: Buffer
  /** The forms of the body that were requested, by encoding: each is made once. */
  encoded: Map<string, Promise<Buffer>>
}

/**
 * Sends a body in the encoding that the request prefers.
 * @param quality of Brotli, from 0 to 11: the best one takes fifty times as long as 6, for a tenth less
 */
export async function sendCompressed(
  { body, encoded }: Compressible,
  { request, reply, quality }: { request: Request; reply: Reply; quality: number },
): Promise<Reply> {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === undefined || body.length === 0) return reply.send(body)
  const made = encoded.get(encoding) ?? (encoding === 'gzip' ? compressWithGzip(body) : withBrotli(body, quality))
  encoded.set(encoding, made)
  return reply.header('content-encoding', encoding).send(await made)
}

function withBrotli(body: Buffer, quality: number): Promise<Buffer> {
  return compressWithBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const names = String(accepted ?? '')
  if (/\bbr\b/.test(names)) return 'br'
  return /\bgzip\b/.test(names) ? 'gzip' : undefined
}
