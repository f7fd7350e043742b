import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isErrorCode, SERVICE_NAMES } from '@storefront/contracts'
import { filesBelow, fromRoot, linesOfCode, readText, repository, workspaces } from './source-files.ts'

const lines = workspaces().flatMap((folder) => linesOfCode([folder]).map((line) => ({ ...line, folder })))
const THIS_FILE = 'tests/repository/names.test.ts'

/** The lines that match a pattern, except those of this file, which names what it forbids. */
function placesOf(pattern: RegExp, allowed: readonly string[] = []): string[] {
  return lines
    .filter(({ path, text }) => path !== THIS_FILE && !allowed.includes(path) && pattern.test(text))
    .map(({ at, text }) => `${at} ${text.trim()}`)
}

test('the repository has workspaces and code', () => {
  expect(lines.length).toBeGreaterThan(10_000)
  expect(workspaces().length).toBeGreaterThan(10)
})

const SOURCES = ['main.ts', 'start.ts', 'app.ts', 'config.ts', 'context.ts', 'errors.ts'].map((name) => `src/${name}`)
/** A service has all of them, or it keeps no data. */
const OF_DATA = ['migrations', 'schema.sql', 'src/database.ts', 'src/retention.ts', 'src/tables.ts']
/** Verbs in place of which CONTRIBUTING has others ("Add an operation"). */
const OTHER_VERBS = /^(?:show|view|read|fetch|find|update|modify|edit|make|insert|write|destroy|drop)-/

describe('every service', () => {
  test.each(SERVICE_NAMES)('%s has the standard files', (service) => {
    const isMissing = (name: string) => !existsSync(join(repository, 'services', service, name))
    expect(['README.md', 'package.json', 'turbo.json', ...SOURCES].filter(isMissing)).toEqual([])
    expect([[], OF_DATA]).toContainEqual(OF_DATA.filter(isMissing))
  })

  test.each(SERVICE_NAMES)('%s has no other files beside the folders of its features', (service) => {
    const folder = `services/${service}/src`
    const beside = filesBelow(folder).filter((path) => dirname(path) === folder && !path.endsWith('.test.ts'))
    const standard = [...SOURCES, ...OF_DATA, 'src/column-types.ts'].map((name) => `services/${service}/${name}`)
    expect(beside.filter((path) => !standard.includes(path))).toEqual([])
  })

  test.each(SERVICE_NAMES)('%s names its operations with the verbs of CONTRIBUTING', (service) => {
    const operations = filesBelow(`services/${service}/src`)
      .filter((path) => /export function \w+Route\(/.test(readText(path)))
      .map((path) => basename(path, '.ts'))
    expect(operations.length).toBeGreaterThan(4)
    expect(operations.filter((name) => OTHER_VERBS.test(name))).toEqual([])
    // A part of a record is added and removed, and a record is created and deleted.
    const otherEnd = (name: string) => name.replace(/^add-/, 'delete-').replace(/^create-/, 'remove-')
    expect(operations.filter((name) => otherEnd(name) !== name && operations.includes(otherEnd(name)))).toEqual([])
  })

  test.each(SERVICE_NAMES)('%s numbers its migrations from one', (service) => {
    const names = filesBelow(`services/${service}/migrations`).map((path) => path.split('/').at(-1) ?? '')
    const numbers = names.map((name) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
    expect(numbers).toEqual(names.map((_name, index) => String(index + 1).padStart(4, '0')))
  })
})

test('no workspace imports the files of another: packages are imported by name, services not at all', () => {
  const wrong = lines.flatMap(({ path, at, text, folder }) => {
    const target = /(?:from|import|import\(|new URL\() ?'([^']+)'/.exec(text)?.[1]
    if (target === undefined) return []
    if (target.startsWith('@storefront/')) {
      const service = SERVICE_NAMES.find((name) => target.startsWith(`@storefront/${name}`))
      return service === undefined ? [] : [`${at} ${target}`]
    }
    // This is about code only, because the migrate step reads the migrations of every service.
    if (!target.startsWith('.') || !target.endsWith('.ts')) return []
    return fromRoot(join(dirname(path), target))?.startsWith(`${folder}/`) ? [] : [`${at} ${target}`]
  })
  expect(wrong).toEqual([])
})

test('the code has no reminders, no disabled tests and no leftover files', () => {
  expect(placesOf(/\b(TODO|FIXME|XXX|HACK)\b/)).toEqual([])
  expect(placesOf(/\b(test|describe|it)\.(only|skip|todo)\b/)).toEqual([])
  expect(placesOf(/\bdebugger\b/)).toEqual([])
  const left = workspaces()
    .flatMap(filesBelow)
    .filter((path) => /\.(tmp|bak|orig|rej)(\.|$)|(^|\/)zz-|~$/.test(path))
  expect(left).toEqual([])
})

test('no code disables the type checker', () => {
  expect(placesOf(/\bas any\b|:\s*any\s*([,;)=\]}|&]|$)|<any[,>]|\bas unknown as\b/)).toEqual([])
  expect(placesOf(/@ts-(ignore|expect-error|nocheck)/)).toEqual([])
})

test('NATS subjects are built in one file', () => {
  const allowed = [
    'packages/contracts/src/subjects.ts',
    'packages/contracts/src/subjects.test.ts',
    // The subjects that the streams store, with wildcards.
    'packages/messaging/src/streams.ts',
  ]
  const places = placesOf(/[`'"][^`'"]*\.(events|rpc|dead|signals)\.[^`'"]*[`'"]|\$JS\.(API|ACK)/, allowed)
  // A test may name the subject that it expects. The apps use no NATS: their names of texts look like subjects.
  expect(places.filter((place) => !/\.test\.ts:|^apps\//.test(place))).toEqual([])
})

test('every error code that a service returns is in the contracts', () => {
  const used = lines
    .filter(({ path }) => /^(services|packages)\//.test(path) && !path.endsWith('.test.ts'))
    .flatMap(({ at, text }) => {
      const code = /(?:HttpError\(|respondUnparsed\(.*, )'([a-z_]+)'/.exec(text)?.[1]
      return code === undefined ? [] : [{ at, code }]
    })
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter(({ code }) => !isErrorCode(code))).toEqual([])
})

test('only the start of a process reads its environment', () => {
  const allowed = /^(tools|bench|tests|demo)\/|\/test\/|\/main\.ts$|^packages\/service\/src\/lifecycle\.ts$/
  expect(placesOf(/process\.env/).filter((place) => !allowed.test(place.split(':')[0] ?? ''))).toEqual([])
})

test('time comes from a clock that is passed in', () => {
  // A log line has the real time, whatever the clock of a test, and the ids only need to be ascending.
  const allowed = ['packages/service/src/clock.ts', 'packages/service/src/log.ts', 'packages/contracts/src/ids.ts']
  const places = placesOf(/Date\.now\(\)|new Date\(\)/, allowed)
  expect(places.filter((place) => /^(services|packages)\/[^/]+\/src\/(?!testing\/)/.test(place))).toEqual([])
})

test('the SQL of a service is in *.queries.ts, and its builder has one table in a statement', () => {
  const inSources = (pattern: RegExp) =>
    placesOf(pattern).filter((place) => /^services\/[^/]+\/src\/(?!.*\.test\.ts:)/.test(place))
  const statements = inSources(/\bsql(?:<.*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/)
  expect(statements.length).toBeGreaterThan(600)
  expect(statements.filter((place) => !/\.queries\.ts:\d/.test(place))).toEqual([])
  const several = inSources(/\.(?:(?:inner|left|right|full|cross)Join|with|withRecursive|whereRef|using|exists)\(/)
  expect(several.filter((place) => /\.queries\.ts:\d/.test(place))).toEqual([])
})
