import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { accessPage, readAccess } from './access-table.ts'
import { launch } from './launch.ts'
import { messageOf, StartError } from './start-error.ts'
import { packageCache } from './testing/global-setup.ts'

const help = `npm run access    updates docs/access.md: every route of the shop, and who may call it

Starts a shop for this, in a folder and on ports of its own.
`

const page = resolve(import.meta.dirname, '../../docs/access.md')

async function describeAccess(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-access-'))
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', LOG_LEVEL: 'warn' }
  try {
    const shop = await launch({ env, dataDir, cacheDir: packageCache(), seed: false, print })
    try {
      return accessPage(await readAccess(shop.services))
    } finally {
      await shop.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

try {
  const [argument] = process.argv.slice(2)
  if (argument === '--help' || argument === '-h') process.stdout.write(help)
  else if (argument !== undefined)
    throw new StartError(`${argument} is an unknown argument: see npm run access -- --help.`)
  else {
    const text = await describeAccess()
    const stale = (await readFile(page, 'utf8').catch(() => '')) !== text
    if (stale) await writeFile(page, text)
    process.stdout.write(stale ? 'docs/access.md written\n' : 'docs/access.md is up to date.\n')
  }
} catch (error) {
  process.stderr.write(
    `${error instanceof StartError ? error.message : `npm run access failed: ${messageOf(error)}`}\n`,
  )
  process.exitCode = 1
}
