import type { IncomingHttpHeaders } from 'node:http'
import { SURROGATE_KEY, SURROGATE_PURGE } from '@storefront/http'

export interface Freshness {
  freshMs: number
  /** For this long after that, the old response may be served while a new one is fetched. */
  staleMs: number
  /** For this long after that, it may be served while its service is down. */
  staleIfErrorMs: number
}

const STALE_IF_ERROR_MS = 10 * 60_000
const NOT_KEPT = ['no-store', 'private', 'no-cache']
const NEVER_STALE = ['must-revalidate', 'proxy-revalidate']

/** Whether a response may be cached for all clients, and for how long. @returns undefined when it may not */
export function freshnessOf(status: number, headers: IncomingHttpHeaders): Freshness | undefined {
  const control = headers['cache-control']
  if (status !== 200 || control === undefined || headers['set-cookie'] !== undefined) return undefined
  // Services send plain text; a response that is already encoded could not be sent to every client.
  if (headers['content-encoding'] !== undefined || !hasCacheableVary(headers.vary)) return undefined
  const directives = new Map(
    control
      .toLowerCase()
      .split(',')
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.trim().split('=')
        return [name, value.replaceAll('"', '')]
      }),
  )
  if (!directives.has('public') || NOT_KEPT.some((name) => directives.has(name))) return undefined
  const freshMs = seconds(directives.get('s-maxage') ?? directives.get('max-age'))
  if (freshMs <= 0) return undefined
  if (NEVER_STALE.some((name) => directives.has(name))) return { freshMs, staleMs: 0, staleIfErrorMs: 0 }
  const staleMs = seconds(directives.get('stale-while-revalidate'))
  return { freshMs, staleMs, staleIfErrorMs: Math.max(staleMs, STALE_IF_ERROR_MS) }
}

function seconds(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : 0
}

/** The gateway handles encoding and origin itself; any other Vary would split one response into several. */
function hasCacheableVary(vary: string | undefined): boolean {
  if (vary === undefined) return true
  return vary
    .toLowerCase()
    .split(',')
    .every((name) => ['accept-encoding', 'origin', ''].includes(name.trim()))
}

/** The surrogate keys of the data that a response was made from. */
export function surrogateKeys(headers: IncomingHttpHeaders): string[] {
  return words(headers[SURROGATE_KEY])
}

/** The surrogate keys of the data that a write changed. */
export function purgeKeys(headers: IncomingHttpHeaders): string[] {
  return words(headers[SURROGATE_PURGE])
}

function words(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return String(value)
    .split(/[\s,]+/)
    .filter((key) => key !== '')
}
