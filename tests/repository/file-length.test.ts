import { describe, expect, test } from 'vitest'
import { filesBelow, readText, workspaces } from './source-files.ts'

const MAX_LINES = 250

/** Files with more lines, or the folders of such files, and the reason why each is not split. */
const REASONS: Readonly<Record<string, string>> = {
  'demo/src/catalog': 'The products of the demo shop are data, in one list for each department.',
  'packages/contracts/src/events.ts':
    'EVENTS, and with it the consumers and NATS permissions, has the events that this file defines.',
  'packages/contracts/src/requests.ts':
    'REQUESTS, and with it the NATS permissions, has the requests that this file defines.',
  'packages/contracts/src/settings.ts': 'One table of the variables that operators set, by service.',
  'services/catalog/src/app.ts':
    'The table of contents of a service has all of its routes, consumers, request handlers and timers.',
  'services/catalog/src/errors.ts': 'One list of the errors that the service sends, with their messages.',
  'services/catalog/src/vocabulary/built-in-vocabulary.ts': 'One table of the attributes that every shop starts with.',
  'services/gateway/src/docs/error-descriptions.ts': 'One table with the description of each error code.',
  'services/orders/src/errors.ts': 'One list of the errors that the service sends, with their messages.',
}

const TEST = /^tests\/|\/test\/|\.(?:test|long)\.tsx?$/
const GENERATED = /^services\/\w+\/src\/tables\.ts$|^packages\/client\/src\/openapi\.ts$/

const sources = workspaces()
  .flatMap(filesBelow)
  .filter((path) => /\.tsx?$/.test(path) && !TEST.test(path) && !GENERATED.test(path))
const long = sources.filter((path) => linesIn(path) > MAX_LINES)

function linesIn(path: string): number {
  return readText(path).trimEnd().split('\n').length
}

const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

describe(`a source file of more than ${MAX_LINES} lines`, () => {
  test('has a written reason', () => {
    const places = Object.keys(REASONS)
    expect(sources.length).toBeGreaterThan(1000)
    const without = long.filter((path) => !places.some((place) => isIn(path, place)))
    expect(without, 'split it where it does two things, or add the reason to REASONS').toEqual([])
  })

  test.each(Object.entries(REASONS))('is %s, which has a reason', (place, reason) => {
    expect(long.filter((path) => isIn(path, place))).not.toEqual([])
    expect(reason).toMatch(/^[A-Z].{20,}\.$/)
  })
})
