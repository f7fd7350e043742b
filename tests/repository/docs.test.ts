import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERROR_STATUS, EVENTS, REQUESTS } from '@storefront/contracts'
import { codeBlocks } from '../documents/code-blocks.ts'
import { DOCUMENTS, filesBelow, linesOfCode, readText, repository, tableRows, workspaces } from './source-files.ts'

const ErrorExamples = z.object({
  components: z.object({ examples: z.record(z.string(), z.object({ value: z.object({ message: z.string() }) })) }),
})
const Boundaries = z.object({
  boundaries: z.object({
    tags: z.record(z.string(), z.object({ dependencies: z.object({ allow: z.array(z.string()) }) })),
  }),
})
/** Codes whose messages have values in them, such as a name or a number. */
const WITH_VALUES = [
  'currency_mismatch',
  'insufficient_inventory',
  'invalid_status',
  'invalid_transition',
  'out_of_stock',
  'rate_limited',
  'read_only_field',
  'unknown_credential',
  'unknown_field',
  'variant_exists',
  'variants_missing',
  'weak_password',
]

const Package = z.object({ scripts: z.record(z.string(), z.string()).default({}) })
/** @param workspace its folder; the root by default */
const scriptsOf = (workspace = '.') => Package.parse(JSON.parse(readText(join(workspace, 'package.json')))).scripts

/** The info strings of blocks with commands, and the tests that run them. */
const RUN = new Map([
  ['bash', 'tests/documents/commands.test.ts'],
  ['sh launcher', 'tests/documents/commands.test.ts'],
  ['sh merchant', 'tests/documents/merchant.long.ts'],
  ['sh', 'tests/documents/start.test.ts'],
  ['sh compose', 'tests/compose/compose.long.ts'],
  ['sh compose own-storefront', 'tests/compose/compose.long.ts'],
  ['sh compose observability', 'tests/compose/compose.long.ts'],
  ['sh compose high-availability', 'tests/compose/high-availability.long.ts'],
  ['sh compose move-from', 'tests/compose/high-availability.long.ts'],
  ['sh compose move-to', 'tests/compose/high-availability.long.ts'],
  ['sh compose upgrade', 'tests/compose/high-availability.long.ts'],
  ['sh compose archive', 'tests/compose/high-availability.long.ts'],
  ['sh compose moment', 'tests/compose/high-availability.long.ts'],
  ['sh kubernetes', 'tests/kubernetes/documented-commands.long.ts'],
  ['sh backup', 'tests/backup.test.ts'],
])
/** Blocks that are read and not run. The TypeScript of docs/api.md is that of docs/examples, see below. */
const NOT_RUN = new Set(['', 'text', 'json', 'sql', 'js', 'ts'])
const COMMAND = /^ *(\w+=\S* )*(\$|npm|npx|node|docker|docker-compose|kubectl|curl) /m

test('the tests that run documented commands exist', () => {
  expect([...RUN.values()].filter((path) => !existsSync(join(repository, path)))).toEqual([])
})

test('the repository has documents', () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']))
})

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readText(document)

  test('links to existing files and headings', () => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const missing = targets.filter((target) => {
      if (/^(https?|mailto):/.test(target)) return false
      const [path = '', heading] = target.split('#')
      const file = path === '' ? document : join(dirname(document), path)
      if (!existsSync(join(repository, file))) return true
      return heading !== undefined && !headingsOf(readText(file)).includes(heading)
    })
    expect(missing).toEqual([])
  })

  test('names only existing files', () => {
    const named = [...text.matchAll(/`((?:services|packages|tools|tests|docs|demo|bench)\/[\w./-]+\.\w+)`/g)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(repository, path)))
    expect(missing).toEqual([])
  })

  test('shows commands only in blocks that a test runs', () => {
    const misplaced = codeBlocks(document).filter(
      ({ info, text: block }) => !RUN.has(info) && (!NOT_RUN.has(info) || COMMAND.test(block)),
    )
    expect(misplaced.map(({ line, info }) => `${document}:${line} ${info}`)).toEqual([])
  })

  test('names only existing npm scripts', () => {
    const missing = [...text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)(?: -w ([\w/-]+))?/g)].filter(
      ([, run, short, workspace]) => !((run ?? short ?? '') in scriptsOf(workspace)),
    )
    expect(missing.map(([command]) => command)).toEqual([])
  })
})

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}

test('decisions are numbered from one, and each has a context, a decision and consequences', () => {
  const decisions = DOCUMENTS.filter((path) => path.startsWith('docs/decisions/'))
  decisions.forEach((path, index) => {
    const number = String(index + 1).padStart(4, '0')
    expect(path).toMatch(new RegExp(`^docs/decisions/${number}-[a-z0-9-]+\\.md$`))
    const headings = [...readText(path).matchAll(/^##? (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([expect.stringContaining(`${number}: `), 'Context', 'Decision', 'Consequences'])
  })
})

test('code refers only to existing decisions', () => {
  const known = new Set(DOCUMENTS.map((path) => /decisions\/(\d{4})/.exec(path)?.[1]))
  const cited = ['packages', 'services', 'tools', 'tests', 'bench', 'demo']
    .flatMap(filesBelow)
    .filter((path) => /\.(ts|sql|md)$/.test(path))
    .flatMap((path) =>
      [...readText(path).matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number]) => ({ path, number })),
    )
  expect(cited.filter(({ number }) => !known.has(number))).toEqual([])
})

test('docs/api.md shows the examples as they are in their files, and lists every code', () => {
  const text = readText('docs/api.md')
  const shown = [...text.matchAll(/<!-- (docs\/examples\/[\w-]+\.ts) -->\n\n```ts\n([\s\S]*?)```/g)]
  expect(shown.map(([, path = '']) => path).toSorted()).toEqual(filesBelow('docs/examples').toSorted())
  for (const [, path = '', code] of shown) expect(code, path).toBe(readText(path))
  const rows = [...text.matchAll(/^\| (\d{3}) +\| (.+?) +\|$/gm)]
  const listed = rows.flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(status)]),
  )
  expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS)
})

test('the architecture names every event and every request', () => {
  const text = readText('docs/architecture.md')
  const names = [...EVENTS, ...REQUESTS].map(({ name }) => name)
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('the architecture lists each package below those that turbo.json lets it use', () => {
  const { tags } = Boundaries.parse(JSON.parse(readText('turbo.json'))).boundaries
  const rows = tableRows(readText('docs/architecture.md')).flatMap(([link = '', , mayUse]) => {
    const name = /^\[[\w-]+\]\(\.\.\/packages\/([\w-]+)\//.exec(link)?.[1]
    return name === undefined ? [] : [{ name, mayUse }]
  })
  const names = rows.map(({ name }) => name)
  const folders = workspaces().filter((folder) => folder.startsWith('packages/'))
  expect(names.map((name) => `packages/${name}`).toSorted()).toEqual(folders.toSorted())
  for (const [index, { name, mayUse }] of rows.entries()) {
    const allowed = tags[name]?.dependencies.allow ?? []
    expect(mayUse, name).toBe(allowed.join(', ') || 'nothing')
    expect(
      allowed.filter((each) => !names.slice(0, index).includes(each)),
      name,
    ).toEqual([])
  }
})

test('the examples of errors have the messages that the services send', () => {
  const { examples } = ErrorExamples.parse(JSON.parse(readText('docs/openapi.json'))).components
  const code = linesOfCode(['packages', 'services'])
    .filter(({ path }) => !/error-descriptions|openapi\.ts|\.test\.ts/.test(path))
    .map(({ text }) => text)
    .join('\n')
  const unsent = Object.entries(examples).filter(([, { value }]) => !code.includes(value.message))
  expect(unsent.map(([name]) => name).toSorted()).toEqual(WITH_VALUES)
})
