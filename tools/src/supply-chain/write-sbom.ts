import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { runScript } from '../run-script.ts'
import { StartError } from '../start-error.ts'
import { readLockedPackages } from './lock-file.ts'
import { completeBom } from './sbom.ts'

const help = `npm run sbom                 writes sbom.cdx.json: every package of package-lock.json, as CycloneDX
npm run sbom -- --omit=dev   leaves out packages that are only for building and testing
`

const repository = resolve(import.meta.dirname, '../../..')
const FILE = 'sbom.cdx.json'
const MAX_BYTES = 64 * 1024 * 1024

async function writeSbom(omit: string | undefined): Promise<void> {
  if (omit !== undefined && omit !== 'dev')
    throw new StartError(`--omit=${omit} is an unknown argument: see npm run sbom -- --help.`)
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  if (omit !== undefined) command.push('--omit=dev')
  const { stdout } = await promisify(execFile)('npm', command, { cwd: repository, maxBuffer: MAX_BYTES })
  const project = z
    .object({ name: z.string() })
    .parse(JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')))
  const bom = completeBom(stdout, project, readLockedPackages(repository))
  await writeFile(join(repository, FILE), `${JSON.stringify(bom, null, 2)}\n`)
  process.stdout.write(`${FILE} written: ${bom.components.length} components\n`)
}

await runScript({ command: 'npm run sbom', help, options: { omit: { type: 'string' } } }, ({ values }) =>
  writeSbom(values.omit),
)
