import type { ServerResponse } from 'node:http'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { PRIVATE_CACHE_CONTROL, type Refusal } from '@storefront/chassis'
import { allowanceHeaders } from '../rate-limit/allowance.ts'
import type { Visit } from './visit.ts'

/** Headers of every response to this request, whichever code writes it. */
export function visitHeaders(visit: Visit): string[] {
  const headers = [...visit.headers.flat, REQUEST_ID_HEADER, visit.requestId]
  if (visit.allowance !== undefined) headers.push(...allowanceHeaders(visit.allowance))
  if (visit.cache !== undefined) headers.push('x-cache', visit.cache)
  return headers
}

/** The body of an error, in the shape of docs/contract.md. */
export function refusalBody(refusal: Refusal, requestId: string): string {
  return JSON.stringify({
    message: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal.detail === undefined ? {} : { detail: refusal.detail }),
  })
}

/** Responds with an error before, or without, the web framework. */
export function refuse(response: ServerResponse, visit: Visit, refusal: Refusal, more: readonly string[] = []): void {
  const retry = refusal.retryAfterSeconds === undefined ? [] : ['retry-after', String(refusal.retryAfterSeconds)]
  sendJson(response, visit, refusal.status, refusalBody(refusal, visit.requestId), [
    'cache-control',
    PRIVATE_CACHE_CONTROL,
    ...retry,
    ...more,
  ])
}

export function sendJson(
  response: ServerResponse,
  visit: Visit,
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
    ...visitHeaders(visit),
    ...more,
  ])
  response.end(visit.method === 'HEAD' ? undefined : bytes)
}
