import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { runScript } from './run-script.ts'
import { StartError } from './start-error.ts'
import { withTemporaryFolder } from './with-temporary-folder.ts'

const help = `npm run docs-viewer -- 2.5.4    downloads this version of Redoc, the viewer of /docs

The package is fetched from the npm registry; the shop itself never fetches anything.
`

const run = promisify(execFile)
const target = resolve(import.meta.dirname, '../../services/gateway/viewer')
/** Removed from the script, because the page must not request anything from other hosts. */
const FOREIGN_IMAGE = 'https://cdn.redoc.ly/redoc/logo-mini.svg'

async function fetchViewer(version: string, folder: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--silent', `redoc@${version}`], { cwd: folder })
  await run('tar', ['-xzf', stdout.trim()], { cwd: folder })
  const read = (path: string) => readFile(join(folder, 'package', path), 'utf8')
  const script = await read('bundles/redoc.standalone.js')
  if (!script.includes(FOREIGN_IMAGE)) throw new StartError(`Redoc ${version} no longer names ${FOREIGN_IMAGE}.`)
  const licenses = [await read('LICENSE'), await read('bundles/redoc.standalone.js.LICENSE.txt')]
  await mkdir(target, { recursive: true })
  for (const old of await readdir(target)) await rm(join(target, old))
  const local = script.replaceAll(FOREIGN_IMAGE, 'data:,').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')
  await writeFile(join(target, `redoc-${version}.js`), local)
  await writeFile(join(target, `redoc-${version}.LICENSE.txt`), licenses.join('\n'))
}

await runScript({ command: 'npm run docs-viewer', help, options: {}, most: 1 }, async ({ positionals: [version] }) => {
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new StartError('Name the version of Redoc: see npm run docs-viewer -- --help.')
  }
  await withTemporaryFolder('viewer', (folder) => fetchViewer(version, folder))
  process.stdout.write(`services/gateway/viewer holds Redoc ${version}\n`)
})
