import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { filesBelow, readText } from './source-files.ts'

const kebabCase = (name: string) => name.replaceAll(/(?<!^)[A-Z]/g, '-$&').toLowerCase()

interface Registration {
  route: string
  /** The comment after it: verb and path. */
  comment: string
  /** What the function registers. */
  registered: string[]
}

const REGISTRATION = /^ +(\w+(?:Route|Page))\((?:app|pages)\b[^\n]*?\)(?: \/\/ +([^\n]*))?$/gm

const appOf = (service: string) => `services/${service}/src/app.ts`
const sourcesOf = (service: string) =>
  filesBelow(`services/${service}/src`).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

/** The names that `app.ts` imports from files of its service, and these files. */
function importedNames(service: string): Map<string, string> {
  const app = appOf(service)
  return new Map(
    [...readText(app).matchAll(/import \{([^}]*)\} from '(\.\/[^']+)'/g)].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name): [string, string] => [name.trim(), join(dirname(app), file)]),
    ),
  )
}

/** The verbs and paths of routes; a part that is only known at the start counts as a parameter. */
function routesIn(code: string): string[] {
  const calls = code.matchAll(/\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*['`](\/[^'`]*)['`]/g)
  return [...calls].map(([, verb = '', path = '']) => `${verb.toUpperCase()} ${path.replaceAll(/\$\{(\w+)\}/g, ':$1')}`)
}

/** The lines of `app.ts` that register a route: `addLineRoute(app, context) // POST /carts/:id/lines`. */
function registrations(service: string): Registration[] {
  const files = importedNames(service)
  return [...readText(appOf(service)).matchAll(REGISTRATION)].map(([, route = '', comment = '']) => {
    const [, body = ''] = readText(files.get(route) ?? '').split(`function ${route}(`)
    const [own = ''] = body.split('\nexport function ')
    return { route, comment: comment.replace(/ +/g, ' '), registered: routesIn(own) }
  })
}

describe('app.ts of', () => {
  test.each(SERVICE_NAMES)('%s names the verb and path of each route', (service) => {
    const found = registrations(service)
    expect(found.length).toBeGreaterThan(10)
    const imported = [...importedNames(service).keys()].filter((name) => /^\w+(?:Route|Page)$/.test(name))
    expect(found.map(({ route }) => route).toSorted()).toEqual(imported.toSorted())
    for (const { route, comment, registered } of found) expect([comment], route).toEqual(registered)
    const made = sourcesOf(service).flatMap((path) => routesIn(readText(path)))
    expect(made.toSorted()).toEqual(found.map(({ comment }) => comment).toSorted())
  })

  test.each(SERVICE_NAMES)('%s lists all consumers and request handlers, in files of their names', (service) => {
    const containing = (call: RegExp) => sourcesOf(service).filter((path) => call.test(readText(path)))
    const consuming = containing(/\bconsume\(/)
    const replying = containing(/\breplyTo\(/)
    expect(consuming.filter((path) => !/\/consume-[a-z-]+\.ts$/.test(path))).toEqual([])
    const handlers = replying.flatMap((path) =>
      [...readText(path).matchAll(/export function replyTo(\w+)\(/g)].map(([, name = '']) =>
        join(dirname(path), `${kebabCase(name)}.ts`),
      ),
    )
    expect(handlers).toEqual(replying)
    const imported = [...importedNames(service)]
      .filter(([name]) => /^(?:consume|replyTo)[A-Z]/.test(name))
      .map(([, path]) => path)
    expect([...new Set(imported)].toSorted()).toEqual([...consuming, ...replying].toSorted())
  })

  test.each(SERVICE_NAMES)('%s lists all that its start.ts has to stop', (service) => {
    expect(readText(appOf(service))).toMatch(/^export (?:async )?function register[A-Z]\w+\(.*Registered>? \{$/m)
    expect(readText(`services/${service}/src/start.ts`)).not.toMatch(/\b(?:consumers|timers): \[/)
    // Each timer is a function of its feature: here is its name only.
    expect(readText(appOf(service))).not.toMatch(/\b(?:every|processBatches)\(/)
  })
})
