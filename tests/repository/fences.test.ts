import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { LITTLE_COLLECTION } from '../support/little-collection.ts'

// A check that reports nothing looks like a check that passes, so each one must report a known fault here.

const repository = resolve(import.meta.dirname, '../..')
const fixtures = resolve(import.meta.dirname, '../fixtures/fences')
/** The same files with which the ordinary checks run. */
const REAL_FILES = ['turbo.json', '.oxlintrc.json', 'tsconfig.json', '.oxfmtrc.json']

const TOOLS = {
  boundaries: ['turbo', 'boundaries', '--no-color'],
  // Without a format of its own the linter chooses one by its environment.
  lint: ['oxlint', '--type-aware', '--format=json'],
  types: ['tsc', '--noEmit', '--pretty', 'false'],
  format: ['oxfmt', '--check', '.'],
} as const
type Tool = keyof typeof TOOLS

let workspace: string

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'storefront-fences-'))
  for (const name of ['package.json', 'services']) {
    await cp(join(fixtures, name), join(workspace, name), { recursive: true })
  }
  // In the repository the names end in .txt, so that no tool treats them as code.
  for (const path of await readdir(join(workspace, 'services'), { recursive: true })) {
    const from = join(workspace, 'services', path)
    if (from.endsWith('.ts.txt')) await rename(from, from.slice(0, -'.txt'.length))
  }
  for (const name of REAL_FILES) await cp(join(repository, name), join(workspace, name))
  await symlink(join(repository, 'node_modules'), join(workspace, 'node_modules'))
})

afterAll(() => rm(workspace, { recursive: true, force: true }))

function run(tool: Tool): Promise<{ passed: boolean; output: string }> {
  const [program, ...given] = TOOLS[tool]
  return new Promise((settle) => {
    execFile(
      join(repository, 'node_modules/.bin', program),
      given,
      {
        cwd: workspace,
        env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', FORCE_COLOR: '0', ...LITTLE_COLLECTION },
      },
      (error, stdout, stderr) => settle({ passed: error === null, output: stdout + stderr }),
    )
  })
}

/** Runs a tool on the workspace with these faults in it: files of code, or another package.json. */
async function runWith(tool: Tool, breaches: readonly string[]) {
  const first = join(workspace, 'services/first')
  for (const name of breaches) {
    const isPackage = name.endsWith('.json')
    const from = join(fixtures, 'breaches', isPackage ? name : `${name}.txt`)
    await cp(from, join(first, isPackage ? 'package.json' : `src/${name}`))
  }
  try {
    return await run(tool)
  } finally {
    for (const name of breaches) await rm(join(first, 'src', name), { force: true })
    await cp(join(fixtures, 'services/first/package.json'), join(first, 'package.json'))
  }
}

test.each(Object.keys(TOOLS).filter((name): name is Tool => name in TOOLS))(
  '%s reports nothing in correct code',
  async (tool) => {
    const { passed, output } = await run(tool)
    expect(passed, output).toBe(true)
  },
)

test.each<[breach: string, tool: Tool, files: string[], report: RegExp]>([
  ['a service that depends on another', 'boundaries', ['depends-on-a-service.json'], /@fences\/second/],
  ['a service that imports another', 'boundaries', ['imports-a-service.ts'], /imports-a-service\.ts/],
  ['a service that reaches into another', 'boundaries', ['reaches-into-a-service.ts'], /reaches-into-a-service\.ts/],
  ['code in another format', 'format', ['unformatted.ts'], /unformatted\.ts/],
])('%s is reported by %s', async (_breach, tool, files, report) => {
  const { passed, output } = await runWith(tool, files)
  expect(output).toMatch(report)
  expect(passed).toBe(false)
})

/** These two name the rule and the file in each report, so that one run finds all faults. */
const REPORTED: [breach: string, tool: Tool, files: string[], report: RegExp][] = [
  ['a promise that is not awaited', 'lint', ['floating-promise.ts'], /no-floating-promises/],
  ['a switch that lacks a case', 'lint', ['open-switch.ts'], /switch-exhaustiveness-check/],
  ['modules that import each other', 'lint', ['cycle-one.ts', 'cycle-two.ts'], /no-cycle/],
  ['the type any', 'lint', ['any.ts'], /no-explicit-any/],
  ['a non-null assertion', 'lint', ['non-null.ts'], /no-non-null-assertion/],
  ['a function of more than 60 lines', 'lint', ['long-function.ts'], /max-lines-per-function/],
  ['an element that may not exist', 'types', ['unchecked-index.ts'], /TS2532/],
  ['syntax that Node cannot strip', 'types', ['enum.ts'], /TS1294/],
]

const LintReport = z.object({
  diagnostics: z.array(z.object({ severity: z.string(), code: z.string(), filename: z.string() })),
})

/** Each error as file and rule, without the warnings, which would not fail a run. */
function lintErrors(output: string): string[] {
  return LintReport.parse(JSON.parse(output))
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ filename, code }) => `${filename} ${code}`)
}

describe('all faults at once', () => {
  const reports = new Map<Tool, { passed: boolean; errors: string[] }>()

  beforeAll(async () => {
    for (const tool of ['lint', 'types'] as const) {
      const files = REPORTED.flatMap(([, by, names]) => (by === tool ? names : []))
      const { passed, output } = await runWith(tool, files)
      const errors =
        tool === 'lint' ? lintErrors(output) : output.split('\n').filter((text) => text.includes(': error '))
      reports.set(tool, { passed, errors })
    }
  })

  test.each(REPORTED)('%s is reported by %s', (_breach, tool, files, report) => {
    const { passed, errors = [] } = reports.get(tool) ?? {}
    for (const file of files) {
      expect(errors.filter((error) => error.includes(`src/${file}`))).toContainEqual(expect.stringMatching(report))
    }
    expect(passed).toBe(false)
  })
})

describe('an import by package name', () => {
  const { resolve: find } = createRequire(import.meta.url)

  test.each(SERVICE_NAMES)('of the service %s fails', (service) => {
    for (const path of [`@storefront/${service}`, `@storefront/${service}/src/app.ts`]) {
      expect(() => find(path)).toThrow(expect.objectContaining({ code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }))
    }
  })

  test('of a package succeeds', () => {
    expect(find('@storefront/contracts')).toMatch(/packages\/contracts\/src\/index\.ts$/)
  })
})
