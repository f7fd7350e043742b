import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { codeBlocks } from '../documents/code-blocks.ts'
import { DOCUMENTS, readText } from '../repository/source-files.ts'
import { composeFile } from './engine.ts'

const Package = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
})

const [, installation = ''] = /^RUN npm ci --omit=dev ([^&]*)/m.exec(readText('Dockerfile')) ?? []
/** The workspaces of which the image has the dependencies. */
const installed = [...installation.matchAll(/--workspace=(\S+)/g)].map(([, folder = '']) => ({
  folder,
  ...Package.parse(JSON.parse(readText(join(folder, 'package.json')))),
}))
const available = new Set(installed.flatMap(({ name, dependencies }) => [name, ...Object.keys(dependencies)]))

const FILES = ['docker-compose.yml', 'deploy/high-availability/compose.yml', 'deploy/kubernetes/base/migrate.yaml']
const texts = [
  ...FILES.map(readText),
  ...DOCUMENTS.flatMap((path) => codeBlocks(path))
    .filter(({ info }) => info.startsWith('sh compose'))
    .map(({ text }) => text),
]
const programs = [...new Set(texts.flatMap((text) => text.match(/\btools\/src\/[\w/-]+\.ts\b/g) ?? []))].toSorted()

/** An import that Node keeps when it removes types, as it does with `import { type Name } from`. */
const IMPORT = /^(?:import|export) (?:(?!type\b)(?:\w+, )?(?:\w+|\*(?: as \w+)?|\{[^}]*\}) from )?'([^']+)'/gm

/** The packages that a program imports when it starts, each with a file that does. */
function packagesOf(program: string): Map<string, string> {
  const packages = new Map<string, string>()
  const files = new Set([program])
  // Files that are added meanwhile are visited too.
  for (const file of files) {
    for (const [, target = ''] of readText(file).matchAll(IMPORT)) {
      const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(target) ?? []
      if (target.startsWith('.')) files.add(join(dirname(file), target))
      else if (!target.startsWith('node:')) packages.set(name, file)
      const workspace = installed.find((one) => one.name === name)
      if (workspace) files.add(join(workspace.folder, workspace.exports[`.${target.slice(name.length)}`] ?? ''))
    }
  }
  return packages
}

test('the compose files and the documents name programs that run in the image', () => {
  const known = ['doctor/main.ts', 'events/main.ts', 'migrate.ts', 'recovery/recovery-main.ts']
  expect(programs).toEqual(expect.arrayContaining(known.map((name) => `tools/src/${name}`)))
})

test.each(programs)('the image has every package that %s imports', (program) => {
  const packages = packagesOf(program)
  expect([...packages.keys()]).toContain('zod')
  expect([...packages].filter(([name]) => !available.has(name))).toEqual([])
})

test('the doctor passes on each variable of the payment providers that the recovery reads', () => {
  const names = new Set(readText('tools/src/recovery/settle-payments.ts').match(/\b(?:STRIPE|RAZORPAY)_[A-Z_]+/g))
  const environment = composeFile().services['doctor']?.environment ?? {}
  expect(names.size).toBe(5)
  // Without a value the variable of the operator is passed on.
  expect([...names].map((name) => [name, environment[name]])).toEqual([...names].map((name) => [name, null]))
})
