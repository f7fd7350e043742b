import type { FastifyReply } from 'fastify'
import { isJson } from './response-headers.ts'

const MIN_LENGTH = 1024

/**
 * Whether a forwarded response is worth compressing: text of more than a kilobyte, or of unknown length. Its ETag stays
 * the same, because a client sends it as If-Match, which identifies the resource and not its encoding.
 */
export function compressible(reply: FastifyReply): boolean {
  if (reply.request.method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304) return false
  if (reply.getHeader('content-encoding') !== undefined) return false
  const type = reply.getHeader('content-type')
  const length = reply.getHeader('content-length')
  const isText =
    isJson(type) || /^(?:application\/x-ndjson|text\/(?:css|csv|html|javascript|plain))\b/.test(String(type))
  return isText && (length === undefined || Number(length) > MIN_LENGTH)
}
