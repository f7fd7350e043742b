import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { StorefrontConfiguration } from '@storefront/contracts'
import { launch, type RunningShop } from '@storefront/tools/launch'
import { packageCache } from '@storefront/tools/testing'
import { readText, repository } from '../repository/source-files.ts'
import { shareServers } from '../support/shop.ts'
import { TestClient } from '../support/test-client.ts'
import { codeBlocks } from './code-blocks.ts'
import { ShellSession } from './shell-session.ts'

const GUIDE = 'docs/merchant.md'
const ADDRESS = 'http://localhost:8080'

let dataDir: string
let shop: RunningShop
let cleanUp: () => Promise<void>

/** The shop that the guide describes: the demo shop of a first start, with its rate limits. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-merchant-'))
  const { sharedServers, removed } = await shareServers()
  cleanUp = removed
  shop = await launch({
    sharedServers,
    inThisProcess: true,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', PASSWORD_HASH_COST: 'lowest' },
    dataDir,
    cacheDir: packageCache(),
    seed: true,
    print: () => {},
  })
})

afterAll(async () => {
  await shop.stop()
  await cleanUp()
  await rm(dataDir, { recursive: true, force: true })
})

interface Step {
  line: number
  commands: string
  /** The output that the guide shows for them. */
  output: string
}

/** The commands of the guide, each with the block of text that follows it, if one does. */
function steps(): Step[] {
  const blocks = codeBlocks(GUIDE, 'sh merchant', 'text')
  return blocks.flatMap(({ line, info, text }, index) => {
    if (info === 'text') return []
    const next = blocks[index + 1]
    return [{ line, commands: text, output: next?.info === 'text' ? next.text.trim() : '' }]
  })
}

/** @returns the printed text, with `…` where the expected output has it for text that varies */
function withGaps(printed: string, expected: string): string {
  const pattern = new RegExp(`^${expected.replaceAll(/[^\w\s…]/g, '\\$&').replaceAll('…', '.+?')}$`)
  return pattern.test(printed) ? expected : printed
}

test('the guide has commands, each followed by its output', () => {
  expect(steps().length).toBeGreaterThan(30)
  expect(steps().filter(({ output }) => output === '')).toEqual([])
})

test('each command of the guide prints that output', async () => {
  const session = new ShellSession({
    cwd: repository,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NO_COLOR: '1',
      ADMIN_EMAIL: shop.adminEmail,
      ADMIN_PASSWORD: shop.adminPassword,
    },
  })
  try {
    for (const { line, commands, output } of steps()) {
      const place = `${GUIDE}:${line}`
      const printed = await session.run(commands.replaceAll(ADDRESS, shop.publicUrl)).catch((error: unknown) => {
        throw new Error(`${place}\n${commands}`, { cause: error })
      })
      // A CSV file begins with a byte order mark, which a terminal does not show.
      const shown = printed.replaceAll('\uFEFF', '').replaceAll(shop.publicUrl, ADDRESS).trim()
      expect(withGaps(shown, output), place).toBe(output)
    }
    expect(await session.end()).toBe(0)
  } finally {
    session.kill()
  }
})

describe('the tables of the configuration', () => {
  const [, tables = ''] = readText(GUIDE).split('## The configuration, field by field\n')
  const rows = [...tables.matchAll(/^\| `([\w.[\]]+)` +\| (?:\*\*shop|storefront).*\| `([^`]+)` +\|$/gm)].map(
    ([, path = '', example = '']): [path: string, example: string] => [path, example],
  )

  test('have a row for every field that the document declares, and for no other', () => {
    const documented = rows.map(([path]) => path)
    expect(documented.length).toBeGreaterThan(100)
    expect(new Set(documented).size).toBe(documented.length)
    const declared = declaredPaths(z.toJSONSchema(StorefrontConfiguration))
    expect(documented.filter((path) => !declared.has(path))).toEqual([])
    // A row for a part of a field covers the field itself.
    const isCovered = (path: string) =>
      documented.some((row) => row === path || row.startsWith(`${path}.`) || row.startsWith(`${path}[]`))
    const missing = [...declared].filter((path) => path !== 'version' && !isCovered(path))
    expect(missing).toEqual([])
  })

  test('have examples that the shop accepts', async () => {
    const admin = new TestClient(shop.url)
    await admin.signInAsAdmin(shop.adminEmail, shop.adminPassword)
    const example = rows.map(([path, text]) => nested(path.split('.'), JSON.parse(text))).reduce(merged, {})
    const reply = await admin.call('PATCH', '/admin/storefront', example)
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 })
  })
})

/** A schema that is not an object allows anything, or nothing. */
const SchemaNode = z.looseObject({
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).default([]),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  $defs: z.record(z.string(), z.unknown()).default({}),
})
const Schema = z.union([SchemaNode, z.boolean().transform(() => SchemaNode.parse({}))])

/** @returns a path for every field of a JSON Schema, with `[]` for the items of a list; recursion is followed once */
function declaredPaths(root: unknown): Set<string> {
  const { $defs } = Schema.parse(root)
  const below = (schema: unknown, path: string, entered: readonly string[]): string[] => {
    const { $ref, anyOf, items, properties } = Schema.parse(schema)
    if ($ref !== undefined) {
      return entered.includes($ref) ? [] : below($defs[$ref.replace('#/$defs/', '')], path, [...entered, $ref])
    }
    return [
      ...anyOf.flatMap((each) => below(each, path, entered)),
      ...(items === undefined ? [] : below(items, `${path}[]`, entered)),
      ...Object.entries(properties).flatMap(([name, each]) => {
        const place = path === '' ? name : `${path}.${name}`
        return [place, ...below(each, place, entered)]
      }),
    ]
  }
  return new Set(below(root, '', []))
}

/** @returns a document with a value at a path, in which `[]` is a list of one item */
function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, step) => (step.endsWith('[]') ? { [step.slice(0, -2)]: [inner] } : { [step]: inner }),
    value,
  )
}

/** Merges lists of one item and objects deeply; of other values the later one is kept. */
function merged(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after) && after.length === 1) return [merged(before[0], after[0])]
  if (!isObject(before) || !isObject(after)) return after
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names].map((name) => [name, name in after ? merged(before[name], after[name]) : before[name]]),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
