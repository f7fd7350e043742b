import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { withSettingsOfCompose, withSettingsTable } from './settings-texts.ts'

/** Writes what follows from the settings: the table of the README, and the environments of docker-compose.yml. */
const repository = resolve(import.meta.dirname, '../..')

async function rewrite(name: string, change: (text: string) => string): Promise<void> {
  const path = join(repository, name)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

await rewrite('README.md', withSettingsTable)
await rewrite('docker-compose.yml', withSettingsOfCompose)
