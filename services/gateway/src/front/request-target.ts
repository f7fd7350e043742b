/** Dot segments, plain or encoded: an HTTP library on the way might resolve them into another path. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i
/** Letters, digits, `-`, `.`, `_` and `~`: encoding them does not change the path (RFC 3986, section 6.2.2.2). */
const NEEDLESSLY_ENCODED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi
const FOREIGN_CHARACTER = /[\\#\u0000-\u0020\u007f]/

export interface Target {
  /** Path and query below the base path: the query exactly as it was sent, the path without needless encoding. */
  target: string
  path: string
}

/**
 * Parses a request's target.
 * @param basePath prefix of every path of the shop, for example `/v1`, or empty
 * @returns undefined for a target that cannot be a path of the shop
 */
export function readTarget(url: string, basePath: string): Target | undefined {
  let target = url
  if (basePath !== '') {
    if (!url.startsWith(basePath)) return undefined
    target = url.slice(basePath.length)
  }
  const query = target.indexOf('?')
  const sent = query === -1 ? target : target.slice(0, query)
  // The services decode paths, too: limits and caches must use the path that the services see.
  const path = sent.includes('%') ? withoutNeedlessEncoding(sent) : sent
  if (path === undefined) return undefined
  target = path + target.slice(sent.length)
  // The root of the shop, with or without a trailing slash.
  if (path === '/' || (path === '' && basePath !== '')) return { target: '/', path: '/' }
  // The start page of the console, which people may type with a trailing slash.
  if (path === '/console/') return { target: target.replace('/console/', '/console'), path: '/console' }
  if (!path.startsWith('/') || FOREIGN_CHARACTER.test(target)) return undefined
  // No route has an empty segment, so a path with a trailing slash is not found (docs/contract.md).
  if (path.includes('//') || path.endsWith('/') || DOT_SEGMENT.test(path)) return undefined
  return { target, path }
}

/**
 * @returns undefined for a path with a lone percent sign, or with bytes that are not UTF-8: the router of a service
 * rejects both, and a lone percent sign before `%36` would begin a new escape once `%36` is decoded
 */
function withoutNeedlessEncoding(path: string): string | undefined {
  try {
    // Compared because the bundler removes a call whose result is not used. The result is never empty.
    if (decodeURIComponent(path) === '') return undefined
  } catch {
    return undefined
  }
  return path.replaceAll(NEEDLESSLY_ENCODED, decodeURIComponent)
}
