import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { launch, type LaunchOptions, type RunningShop } from './launch.ts'
import { packageCache } from './testing/global-setup.ts'
import { scriptEnvironment } from './testing/script-environment.ts'
import { withTemporaryFolder } from './with-temporary-folder.ts'

const repository = resolve(import.meta.dirname, '../..')

/**
 * Updates a file of the repository from a shop that is started for this, in a folder and on ports of its own.
 * @param describe returns the new text
 */
export async function updateFromShop(path: string, describe: (shop: RunningShop) => Promise<string>): Promise<void> {
  const file = join(repository, path)
  const text = await inShop({ env: scriptEnvironment(), seed: false }, describe)
  const stale = (await readFile(file, 'utf8').catch(() => '')) !== text
  if (stale) await writeFile(file, text)
  process.stdout.write(stale ? `${path} written\n` : `${path} is up to date.\n`)
}

/** Starts a shop for one piece of work, in a folder and on ports of its own. Prints the steps of its start. */
export function inShop<Result>(
  options: Pick<LaunchOptions, 'env' | 'seed'>,
  work: (shop: RunningShop) => Promise<Result>,
): Promise<Result> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  return withTemporaryFolder('shop', async (dataDir) => {
    const shop = await launch({ ...options, dataDir, cacheDir: packageCache(), print })
    try {
      return await work(shop)
    } finally {
      await shop.stop()
    }
  })
}
