import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { launch, type RunningShop } from './launch.ts'
import { packageCache } from './testing/global-setup.ts'
import { scriptEnvironment } from './testing/script-environment.ts'

const repository = resolve(import.meta.dirname, '../..')

/**
 * Updates a file of the repository from a shop that is started for this, in a folder and on ports of its own.
 * @param describe returns the new text
 */
export async function updateFromShop(path: string, describe: (shop: RunningShop) => Promise<string>): Promise<void> {
  const file = join(repository, path)
  const text = await inShop(describe)
  const stale = (await readFile(file, 'utf8').catch(() => '')) !== text
  if (stale) await writeFile(file, text)
  process.stdout.write(stale ? `${path} written\n` : `${path} is up to date.\n`)
}

async function inShop(describe: (shop: RunningShop) => Promise<string>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-document-'))
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  try {
    const shop = await launch({ env: scriptEnvironment(), dataDir, cacheDir: packageCache(), seed: false, print })
    try {
      return await describe(shop)
    } finally {
      await shop.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
