import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { repository } from '../repository/source-files.ts'
import { LITTLE_COLLECTION } from '../support/little-collection.ts'

const run = promisify(execFile)

const Manifest = z.looseObject({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) })
const Packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
])

/** A project outside of the repository, into which the packed client and its dependencies are installed. */
export interface ConsumerProject {
  folder: string
  /** The size of the tarball. */
  bytes: number
  files: string[]
  dependencies: string[]
  /** Writes a file of the project. @returns its path */
  write: (name: string, text: string) => Promise<string>
  remove: () => Promise<void>
}

/** Packs the client as `npm pack` does, and unpacks it where `npm install` would. */
export async function makeConsumerProject(): Promise<ConsumerProject> {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-consumer-'))
  const installed = join(folder, 'node_modules/@storefront/client')
  await mkdir(installed, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--json', '-w', '@storefront/client', '--pack-destination', folder], {
    cwd: repository,
    env: { ...process.env, ...LITTLE_COLLECTION },
  })
  const [{ filename, size, files }] = Packed.parse(JSON.parse(stdout))
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  const { dependencies } = await readManifest(installed)
  for (const name of Object.keys(dependencies)) await install(name, folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return {
    folder,
    bytes: size,
    files: files.map(({ path }) => path).toSorted(),
    dependencies: Object.keys(dependencies),
    async write(name, text) {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * Copies a published package and its dependencies from the installation of this repository, so that no registry is
 * needed.
 */
async function install(name: string, folder: string): Promise<void> {
  const from = join(repository, 'node_modules', name)
  const to = join(folder, 'node_modules', name)
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, { recursive: true })
  const { dependencies } = await readManifest(from)
  for (const next of Object.keys(dependencies)) await install(next, folder)
}

async function readManifest(folder: string): Promise<z.output<typeof Manifest>> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
}
