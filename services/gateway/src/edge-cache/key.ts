/** Longer URLs are not worth caching: they are rarely requested twice. */
const MAX_KEY_LENGTH = 2048

/**
 * The key of a cached response, which is also the URL it is fetched from: path and query, with sorted parameters and
 * each only once. Of a repeated parameter the first is kept, because services read that one.
 * @param target path and query as they were sent
 * @returns undefined when the response must not be cached
 */
export function cacheKey(target: string): string | undefined {
  if (target.length > MAX_KEY_LENGTH) return undefined
  const start = target.indexOf('?')
  if (start === -1) return target
  const path = target.slice(0, start)
  const query = target.slice(start + 1)
  if (query === '') return path
  if (!query.includes('&')) return target
  const byName = new Map<string, string>()
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = plainName(equals === -1 ? part : part.slice(0, equals))
    if (!byName.has(name)) byName.set(name, part)
  }
  const parts = [...byName.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part)
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}

function plainName(name: string): string {
  if (!name.includes('%') && !name.includes('+')) return name
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
