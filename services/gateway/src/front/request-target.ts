/** Dot segments, plain or encoded: an HTTP library on the way might resolve them into another path. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i
const FOREIGN_CHARACTER = /[\\#\u0000-\u0020\u007f]/

export interface Target {
  /** Path and query below the base path, exactly as they were sent. */
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
  const path = query === -1 ? target : target.slice(0, query)
  // The root of the shop, which has a slash at its end or none.
  if (path === '/' || (path === '' && basePath !== '')) return { target: '/', path: '/' }
  // The home of the console, which a browser shows and people type with the slash.
  if (path === '/console/') return { target: target.replace('/console/', '/console'), path: '/console' }
  if (!path.startsWith('/') || FOREIGN_CHARACTER.test(target)) return undefined
  // No route has an empty segment, not even a last one: a trailing slash is not found (docs/contract.md).
  if (path.includes('//') || path.endsWith('/') || DOT_SEGMENT.test(path)) return undefined
  return { target, path }
}
