import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { FastifyInstance } from 'fastify'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Records every route, to distinguish a wrong method (405 with `Allow`) from a wrong path (404); Fastify's own router
 * does not.
 * @returns a function from a request's url to the methods that its path supports
 */
export function methodsByPath(app: Pick<FastifyInstance, 'addHook'>): (url: string) => string[] {
  const router = findMyWay({ maxParamLength: 1000 })
  const known = new Set<string>()
  app.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method]
    for (const method of METHODS.filter((name) => methods.includes(name))) {
      const key = `${method} ${route.url}`
      if (known.has(key) || route.url.includes('*')) continue
      known.add(key)
      router.on(method satisfies HTTPMethod, route.url, () => {})
    }
  })
  return (url) => {
    const path = url.split('?', 1)[0] ?? url
    return METHODS.filter((method) => router.find(method, path) !== null)
  }
}
