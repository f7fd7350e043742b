import type { ServerResponse } from 'node:http'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { PRIVATE_CACHE_CONTROL } from '@storefront/http'
import type { HttpError } from '@storefront/service'
import { allowanceHeaders } from '../rate-limit/allowance.ts'
import type { RequestContext } from './request-context.ts'

/** Headers of every response to this request, whichever code writes it. */
export function contextHeaders(context: RequestContext): string[] {
  const headers = [...context.headers.flat, REQUEST_ID_HEADER, context.requestId]
  if (context.allowance !== undefined) headers.push(...allowanceHeaders(context.allowance))
  if (context.cache !== undefined) headers.push('x-cache', context.cache)
  return headers
}

/** The body of an error, in the shape of docs/contract.md. */
export function errorBody({ message, code, detail }: HttpError, requestId: string): string {
  return JSON.stringify({ message, code, requestId, detail })
}

/** Responds with an error before, or without, the web framework. */
export function reject(
  response: ServerResponse,
  context: RequestContext,
  error: HttpError,
  more: readonly string[] = [],
): void {
  const retry = error.retryAfterSeconds === undefined ? [] : ['retry-after', String(error.retryAfterSeconds)]
  sendJson(response, context, error.status, errorBody(error, context.requestId), [
    'cache-control',
    PRIVATE_CACHE_CONTROL,
    ...retry,
    ...more,
  ])
}

export function sendJson(
  response: ServerResponse,
  context: RequestContext,
  status: number,
  body: string,
  more: readonly string[],
): void {
  if (response.destroyed) return
  const bytes = Buffer.from(body)
  response.writeHead(status, [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(bytes.length),
    'vary',
    'Origin',
    ...contextHeaders(context),
    ...more,
  ])
  response.end(context.method === 'HEAD' ? undefined : bytes)
}
