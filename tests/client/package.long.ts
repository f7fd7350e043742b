import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeBlocks } from '../documents/code-blocks.ts'
import { filesBelow, readText, repository } from '../repository/source-files.ts'
import { LITTLE_COLLECTION } from '../support/little-collection.ts'
import { printSkipped } from '../support/print-skipped.ts'
import { openShop, type TestShop } from '../support/shop.ts'
import { makeConsumerProject, type ConsumerProject } from './consumer-project.ts'

const run = promisify(execFile)

const EXAMPLES = filesBelow('docs/examples')
const README = codeBlocks('packages/client/README.md', 'ts')
/** The output of each block of the README, in its order. */
const PRINTED = [
  /^linen-shirt: Shirt linen-shirt, 4000 USD$/,
  /^422 invalid_discount$/,
  /^Ada has 0 orders$/,
  /^200, then 304$/,
]
const EXAMPLE_PRINTED: Record<string, RegExp> = {
  'docs/examples/account.ts': /^Ada wishes for Shirt linen-shirt\n401 unauthenticated$/,
  'docs/examples/buy.ts': /^SF-\d+: 4000 USD and shipping$/,
  'docs/examples/conditional-read.ts': /^200, then 304$/,
  'docs/examples/errors.ts': /^not_found: \S.*\.$/,
}

/** A page of a storefront: it has types, both kinds of errors, a read and a write. */
const PAGE = `
import { ContractViolation, createStorefrontClient, StorefrontError, type components } from '@storefront/client'

type Product = components['schemas']['Product']
const shop = createStorefrontClient({ baseUrl: location.origin, apiToken: 'pk_example' })

export async function show(slug: string): Promise<string> {
  try {
    const product: Product = await shop.get('/products/{slug}', { params: { path: { slug } } })
    const cart = await shop.post('/carts', { body: { fresh: true } })
    return product.title + cart.total.amount.toFixed(0)
  } catch (error) {
    if (error instanceof ContractViolation) return error.issues.map(({ path }) => path).join()
    if (error instanceof StorefrontError && error.code === 'not_found') return error.message
    throw error
  }
}

addEventListener('load', async () => (document.title = await show('linen-shirt')))
`

type Chunk = Rolldown.OutputChunk

/** Precedes the output of each program. */
const SEPARATOR = '\u001E'

/**
 * Calls that the types must reject: a path that the API does not have, a field of another type, a missing parameter.
 */
const WRONG = `
import { createStorefrontClient } from '@storefront/client'
const shop = createStorefrontClient({ baseUrl: 'http://localhost:8080' })
void shop.get('/no-such-path')
void shop.post('/carts', { body: { fresh: 'yes' } })
void shop.get('/orders/{id}')
`

const Reference = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ 'x-codeSamples': z.array(z.object({ lang: z.string(), source: z.string() })) })),
  ),
})
const SAMPLES = Object.values(Reference.parse(JSON.parse(readText('docs/openapi.json'))).paths)
  .flatMap((item) => Object.values(item))
  .flatMap((operation) => operation['x-codeSamples'])
const samplesIn = (language: string) => SAMPLES.flatMap(({ lang, source }) => (lang === language ? [source] : []))
/** Every sample of the API reference, each in a function of its own. */
const CALLS = `
import type { StorefrontClient } from '@storefront/client'
declare const shop: StorefrontClient
declare const file: Blob
${samplesIn('TypeScript')
  .map((source, index) => `export async function sample${index}() {\n${source}\nreturn reply\n}`)
  .join('\n')}
`

let project: ConsumerProject
let shop: TestShop

beforeAll(async () => {
  project = await makeConsumerProject()
  shop = await openShop()
  await shop.stockProduct('linen-shirt', 50)
  await project.write('page.ts', PAGE)
  await project.write('wrong.ts', WRONG)
  await project.write('samples.ts', CALLS)
  for (const [index, { text }] of README.entries()) await project.write(`readme-${index}.ts`, `${text}export {}\n`)
  for (const path of EXAMPLES) await project.write(flat(path), readText(path))
})

afterAll(async () => {
  await shop.stop()
  await project.remove()
})

test('the package contains JavaScript, types and a README, and is small', () => {
  expect(project.files.filter((path) => !/^(dist\/[\w-]+(\.js|\.d\.ts)|README\.md|package\.json)$/.test(path))).toEqual(
    [],
  )
  expect(project.files).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']))
  // Two thirds of it are types, which carry the description of every field.
  expect(project.bytes).toBeLessThan(110_000)
})

test('the package depends on published packages only', async () => {
  expect(project.dependencies).toEqual(['openapi-fetch', 'openapi-typescript-helpers', 'zod'])
  const installed = join(project.folder, 'node_modules/@storefront/client')
  const code = await Promise.all(
    project.files.filter((path) => path.startsWith('dist/')).map((path) => readFile(join(installed, path), 'utf8')),
  )
  const imported = code.flatMap((text) => [...text.matchAll(/^(?:import|export) .*from ['"]([^'".]+)['"]/gm)])
  expect(new Set(imported.map(([, name = '']) => name))).toEqual(new Set(project.dependencies))
})

/** Several threads of the compiler would each read the same types again, which takes twice the CPU time. */
const NEW_COMPILER = ['7', 'node_modules/typescript', ['--singleThreaded']] as const
/** The older compiler reads the same types. */
const COMPILERS = [['5.9', 'packages/client/node_modules/typescript', []] as const, NEW_COMPILER]
const BROWSER = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }

describe.each(COMPILERS)('tsc %s', (version, compiler, flags) => {
  /** @returns the errors of the compiler */
  async function compilerErrors(files: readonly string[], platform: object): Promise<string> {
    const compilerOptions = {
      ...platform,
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      // The libraries of TypeScript itself are not what is tested.
      skipDefaultLibCheck: true,
      typeRoots: [join(repository, 'node_modules/@types')],
    }
    const config = await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
    const compile = run(process.execPath, [join(repository, compiler, 'bin/tsc'), '-p', config, ...flags], {
      env: { ...process.env, ...LITTLE_COLLECTION },
    })
    return compile.then(
      () => '',
      (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
    )
  }

  /** One run compiles all pages, because most of its time goes into reading the types. */
  let inBrowser: Promise<string> | undefined
  const errorsInBrowser = () => (inBrowser ??= compilerErrors(['page.ts', 'samples.ts', 'wrong.ts'], BROWSER))

  test('has the version in its name', () => {
    expect(JSON.parse(readText(join(compiler, 'package.json')))).toMatchObject({
      version: expect.stringMatching(new RegExp(`^${version}\\.`)),
    })
  })

  test('accepts the client in a strict program for Node', async () => {
    const platform = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] }
    const files = [...README.map((_block, index) => `readme-${index}.ts`), ...EXAMPLES.map(flat)]
    expect(await compilerErrors(files, platform)).toBe('')
  })

  test('accepts the client in a strict page for a bundler, and every sample of the API reference', async () => {
    expect(samplesIn('TypeScript').length).toBeGreaterThan(140)
    const found = (await errorsInBrowser()).split('\n').filter((line) => !/wrong\.ts\(|^\s|^$/.test(line))
    expect(found).toEqual([])
  })

  test('reports each wrong call', async () => {
    expect([...(await errorsInBrowser()).matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => Number(line))).toEqual([
      4, 5, 6,
    ])
  })
})

describe('a page built by Vite', () => {
  let chunks: Chunk[]
  const modulesOf = (some: readonly Chunk[]) => some.flatMap(({ moduleIds }) => moduleIds)
  const kilobytesOf = (some: readonly Chunk[]) => some.reduce((sum, { code }) => sum + gzipSync(code).length, 0) / 1000

  beforeAll(async () => {
    const result = await build({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, rolldownOptions: { input: join(project.folder, 'page.ts') } },
    })
    const output = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
    chunks = output.filter((one) => one.type === 'chunk')
  })

  test('contains no module of Node', () => {
    expect(modulesOf(chunks).filter((id) => isBuiltin(id) || id.includes('vite-browser-external'))).toEqual([])
  })

  test('loads 6 kB at first, and zod separately', () => {
    const [first, later] = [chunks.filter(({ isEntry }) => isEntry), chunks.filter(({ isEntry }) => !isEntry)]
    expect(modulesOf(first).filter((id) => id.includes('/zod/'))).toEqual([])
    expect(modulesOf(later).some((id) => id.includes('/zod/'))).toBe(true)
    expect(kilobytesOf(first)).toBeLessThan(6)
    expect(kilobytesOf(later)).toBeLessThan(40)
  })
})

test('every block of the README and every example has an expected output', () => {
  expect(README).toHaveLength(PRINTED.length)
  expect(EXAMPLES).toEqual(Object.keys(EXAMPLE_PRINTED))
})

describe('the documented programs', () => {
  /** What each of them printed, by its file. */
  let printed: ReadonlyMap<string, string>

  /** All run in one process, because most of the time of a process is its start. */
  beforeAll(async () => {
    const blocks = README.map(({ text }) => text.replaceAll('http://localhost:8080', shop.shop.url))
    for (const [index, block] of blocks.entries()) await project.write(blockFile(index), block)
    const files = [...blocks.map((_block, index) => blockFile(index)), ...EXAMPLES.map(flat)]
    const script = await project.write('run-all.js', runAll(files))
    const output = await runInProject(process.execPath, script)
    printed = new Map(
      output
        .split(SEPARATOR)
        .slice(1)
        .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]),
    )
  })

  test.each(PRINTED.map((expected, index) => [index, expected] as const))(
    'block %i of the README runs',
    (index, expected) => {
      expect(printed.get(blockFile(index))).toMatch(expected)
    },
  )

  test.each(Object.entries(EXAMPLE_PRINTED))('the example %s runs', (path, expected) => {
    expect(printed.get(flat(path))).toMatch(expected)
  })
})

test('a shell parses every sample of the API reference', async () => {
  const script = await project.write('samples.sh', samplesIn('Shell').join('\n'))
  await expect(run('bash', ['-n', script])).resolves.toMatchObject({ stderr: '' })
})

test('Node 20 runs the client', async ({ skip }) => {
  const node = await findNode(20)
  if (node === undefined) {
    printSkipped('the packed client on Node 20', 'There is no Node 20 on the PATH.')
    skip()
    return
  }
  const script = await project.write(
    'smoke.js',
    `import { createStorefrontClient, StorefrontError } from '@storefront/client'
     const shop = createStorefrontClient({ baseUrl: '${shop.shop.url}' })
     const { items } = await shop.get('/products', { params: { query: { per_page: 1 } } })
     const gone = createStorefrontClient({ baseUrl: 'http://127.0.0.1:1', maxTries: 2 })
     const error = await gone.get('/products').catch((reason) => reason)
     console.log(items[0].slug, error instanceof StorefrontError, error.code)`,
  )
  expect(await runInProject(node, script)).toBe('linen-shirt true network_error')
})

test.each([
  ['is missing', `throw new Error('404')`],
  ['does not arrive', 'await new Promise(() => {})'],
])('a response is returned when the file of the comparison %s', async (_what, code) => {
  await project.write('node_modules/@storefront/client/dist/check-response.js', code)
  const script = await project.write(
    'without-comparison.js',
    `import { createStorefrontClient } from '@storefront/client'
     const shop = createStorefrontClient({ baseUrl: '${shop.shop.url}', timeoutMs: 2000 })
     console.log((await shop.get('/products')).total)`,
  )
  expect(await runInProject(process.execPath, script)).toBe('1')
})

const blockFile = (index: number) => `run-${index}.ts`

/** @returns a program that runs these, prints the name of each before its output, and continues after an error */
function runAll(files: readonly string[]): string {
  return `
    for (const file of ${JSON.stringify(files)}) {
      console.log(${JSON.stringify(SEPARATOR)} + file)
      await import('./' + file).catch((error) => console.log(error))
    }`
}

/** The name of an example in the project. */
function flat(path: string): string {
  return path.replaceAll('/', '-')
}

async function runInProject(node: string, script: string): Promise<string> {
  const flags = node === process.execPath ? ['--disable-warning=ExperimentalWarning'] : []
  const { stdout } = await run(node, [...flags, script], {
    cwd: project.folder,
    env: { ...process.env, SHOP: shop.shop.url },
  })
  return stdout.trim()
}

/** @returns the path of a Node of this major version, if there is one on the PATH */
async function findNode(major: number): Promise<string | undefined> {
  for (const folder of new Set((process.env['PATH'] ?? '').split(delimiter))) {
    const path = join(folder, 'node')
    const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }))
    if (stdout.startsWith(`v${major}.`)) return path
  }
  return undefined
}

test('the types of the client are those of docs/openapi.json', async () => {
  const generate = ['run', 'generate', '-w', '@storefront/client', '--', '--check']
  await expect(run('npm', generate, { cwd: repository })).resolves.toBeDefined()
})
