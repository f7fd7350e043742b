import { ROUTES, type Route } from './routes.ts'

const BY_FIRST_SEGMENT = Map.groupBy(ROUTES.map(compile), ({ segments }) => segments[0])

function compile(route: Route) {
  const isOpenEnded = route.path.endsWith('/**')
  const segments = (isOpenEnded ? route.path.slice(0, -3) : route.path).split('/').slice(1)
  return { route, segments, isOpenEnded }
}

/**
 * Finds the route of a path. An encoded slash never turns one path into another.
 * @param path as `readTarget` returns it, without its query
 */
export function findRoute(path: string): Route | undefined {
  const end = path.indexOf('/', 1)
  const candidates = BY_FIRST_SEGMENT.get(end === -1 ? path.slice(1) : path.slice(1, end))
  if (!candidates) return undefined
  const sent = path.split('/').slice(1)
  return candidates.find((candidate) => fits(candidate, sent))?.route
}

function fits({ segments, isOpenEnded }: ReturnType<typeof compile>, sent: readonly string[]): boolean {
  if (isOpenEnded ? sent.length < segments.length : sent.length !== segments.length) return false
  return segments.every((segment, index) => segment === sent[index] || segment.startsWith(':'))
}
