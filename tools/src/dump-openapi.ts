import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { launch } from './launch.ts'
import { openApiText } from './openapi-text.ts'
import { messageOf, StartError } from './start-error.ts'
import { packageCache } from './testing/global-setup.ts'

const help = `npm run client    updates docs/openapi.json, and the types of packages/client from it

Starts a shop for this, in a folder and on ports of its own.
`

const document = resolve(import.meta.dirname, '../../docs/openapi.json')

async function describeApi(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-openapi-'))
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', LOG_LEVEL: 'warn' }
  try {
    const shop = await launch({ env, dataDir, cacheDir: packageCache(), seed: false, print })
    try {
      return await openApiText(shop.url)
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
    throw new StartError(`${argument} is an unknown argument: see npm run client -- --help.`)
  else {
    const text = await describeApi()
    const stale = (await readFile(document, 'utf8').catch(() => '')) !== text
    if (stale) await writeFile(document, text)
    process.stdout.write(stale ? 'docs/openapi.json written\n' : 'docs/openapi.json is up to date.\n')
  }
} catch (error) {
  process.stderr.write(
    `${error instanceof StartError ? error.message : `npm run client failed: ${messageOf(error)}`}\n`,
  )
  process.exitCode = 1
}
