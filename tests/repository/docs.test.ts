import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERROR_STATUS, EVENTS, REQUESTS } from '@storefront/contracts'
import { openShop, type TestShop } from '../support/shop.ts'
import { filesBelow, readText, repository } from './source-files.ts'

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'services', 'demo', 'packages', 'tools'].flatMap(filesBelow),
].filter((path) => path.endsWith('.md'))
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readText('package.json')))

test('there is something to read', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']))
})

describe.each(documents)('%s', (document) => {
  const text = readText(document)

  test('links to what is there', () => {
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

  test('names only files that are there', () => {
    const named = [...text.matchAll(/`((?:services|packages|tools|tests|docs|demo|bench)\/[\w./-]+\.\w+)`/g)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(repository, path)))
    expect(missing).toEqual([])
  })

  test('names only scripts that npm knows', () => {
    const named = [...text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short ?? '',
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
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

test('decisions are numbered from one, and each says what it costs', () => {
  const decisions = documents.filter((path) => path.startsWith('docs/decisions/'))
  decisions.forEach((path, index) => {
    const number = String(index + 1).padStart(4, '0')
    expect(path).toMatch(new RegExp(`^docs/decisions/${number}-[a-z0-9-]+\\.md$`))
    const headings = [...readText(path).matchAll(/^##? (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([expect.stringContaining(`${number}: `), 'Context', 'Decision', 'Consequences'])
  })
})

test('code refers only to decisions that are there', () => {
  const known = new Set(documents.map((path) => /decisions\/(\d{4})/.exec(path)?.[1]))
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

test('the architecture names every event and every question', () => {
  const text = readText('docs/architecture.md')
  const names = [...EVENTS, ...REQUESTS].map(({ name }) => name)
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('the README lists the environment that the launcher knows', () => {
  const variables = /const ShopSettings = z\.object\(\{([\s\S]*?)\n\}\)/.exec(
    readText('tools/src/shop-settings.ts'),
  )?.[1]
  const known = [...(variables ?? '').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name)
  const listed = [...readText('README.md').matchAll(/^\| `([A-Z_]+)`\s*\|/gm)].map(([, name = '']) => name)
  expect(known.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual([...known, 'DATA_DIR'].toSorted())
})

describe('what can be pasted', () => {
  let shop: TestShop

  beforeAll(async () => {
    shop = await openShop()
    await shop.stockProduct('readme-shirt', 5)
  })

  afterAll(() => shop.stop())

  /** Runs all commands of a document as one script, against this shop. */
  async function paste(document: string): Promise<string> {
    const blocks = [...readText(document).matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block)
    expect(blocks[0]).toContain('SHOP=http://localhost:8080\n')
    const script = ['set -euo pipefail', ...blocks].join('\n').replace('http://localhost:8080', shop.shop.url)
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        NO_COLOR: '1',
        ADMIN_EMAIL: shop.shop.adminEmail,
        ADMIN_PASSWORD: shop.shop.adminPassword,
      },
    })
    return stdout
  }

  test('the purchase in the README buys something', async () => {
    const stdout = await paste('README.md')
    expect(stdout).toMatch(/amount: \d+/)
    expect(stdout.trimEnd()).toMatch(/\npaid$/)
    const orders = await shop.sql<{ status: string }>('select status from orders.orders')
    expect(orders).toEqual([{ status: 'paid' }])
  })

  test('the commands of docs/api.md do what is said of them', async () => {
    const [version, title, found, all, code, _total, ...rest] = (await paste('docs/api.md')).trimEnd().split('\n')
    expect([version, title, found, all, code]).toEqual(['1.0.0', 'Shirt readme-shirt', '1', '1', 'not_found'])
    const [number, again, ...answers] = rest.slice(-6)
    expect(number).toMatch(/^SF-\d+$/)
    expect(again).toBe(number)
    expect(answers).toEqual(['304', 'Made to last', 'conflict', '204 http://localhost:5173'])
  })
})
