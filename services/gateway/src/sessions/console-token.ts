import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie } from 'cookie'
import { CONSOLE_COOKIE, CONSOLE_HEADER } from '@storefront/contracts'

/**
 * The token of the console in the cookie of a request.
 * @returns undefined unless a page of the shop itself sent the request: a browser sends the cookie also with a request
 * that another origin of the same site causes, but such a page cannot add the header
 */
export function consoleTokenOf(headers: IncomingHttpHeaders, https: boolean): string | undefined {
  if (headers.cookie === undefined || headers[CONSOLE_HEADER] === undefined) return undefined
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return undefined
  const cookies = parseCookie(headers.cookie)
  return cookies[CONSOLE_COOKIE.https] ?? (https ? undefined : cookies[CONSOLE_COOKIE.http])
}

/** @returns a Cookie header without the console's token: no service reads it there */
export function withoutConsoleToken(header: string): string | undefined {
  const kept = header.split(';').filter((pair) => !isConsoleCookie(pair.split('=', 1)[0]?.trim()))
  return kept.length === 0 ? undefined : kept.join(';').trim()
}

function isConsoleCookie(name: string | undefined): boolean {
  return name === CONSOLE_COOKIE.http || name === CONSOLE_COOKIE.https
}
