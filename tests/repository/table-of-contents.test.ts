import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'

const repository = join(import.meta.dirname, '../..')
const services = SERVICE_NAMES.filter((name) => name !== 'gateway')

interface Registration {
  route: string
  /** The comment after it: verb and path. */
  comment: string
  /** What the file of the route registers. */
  registered: string[]
}

/** The routes that `app.ts` imports. */
function importedRoutes(service: string): string[] {
  const app = readFileSync(join(repository, 'services', service, 'src', 'app.ts'), 'utf8')
  const imported = [...app.matchAll(/import \{([^}]*)\} from '\.\//g)].flatMap(([, names = '']) => names.split(','))
  return imported.map((name) => name.trim()).filter((name) => /^\w+(?:Route|Page)$/.test(name))
}

/** The lines of `app.ts` that register a route: `addLineRoute(app, context) // POST /carts/:id/lines`. */
function registrations(service: string): Registration[] {
  const folder = join(repository, 'services', service, 'src')
  const app = readFileSync(join(folder, 'app.ts'), 'utf8')
  const fileOf = new Map(
    [...app.matchAll(/import \{([^}]*)\} from '(\.\/[^']+)'/g)].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name): [string, string] => [name.trim(), file]),
    ),
  )
  return [...app.matchAll(/^ {2}(\w+(?:Route|Page))\(app\b[^\n]*?\)(?: \/\/ +([^\n]*))?$/gm)].map(
    ([, route = '', comment = '']) => {
      const text = readFileSync(join(folder, fileOf.get(route) ?? ''), 'utf8')
      const [, body = ''] = text.split(`function ${route}(`)
      const [own = ''] = body.split('\nexport function ')
      const registered = [...own.matchAll(/\.(get|post|put|patch|delete)\(\s*'(\/[^']*)'/g)]
      return {
        route,
        comment: comment.replace(/ +/g, ' '),
        registered: registered.map(([, verb = '', path]) => `${verb.toUpperCase()} ${path}`),
      }
    },
  )
}

describe('app.ts of', () => {
  test.each(services)('%s names the verb and path of each route', (service) => {
    const found = registrations(service)
    expect(found.length).toBeGreaterThan(10)
    expect(found.map(({ route }) => route).toSorted()).toEqual(importedRoutes(service).toSorted())
    for (const { route, comment, registered } of found) expect([comment], route).toEqual(registered)
  })
})
