import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  READING_SECRETS,
  withSettingsOfCompose,
  withSettingsOfKubernetes,
  withSettingsTable,
} from './settings-texts.ts'

/** Writes what follows from the settings: the table of the README, and the environments of compose and Kubernetes. */
const repository = resolve(import.meta.dirname, '../..')

const read = (name: string) => readFile(join(repository, name), 'utf8')

async function rewrite(name: string, change: (text: string) => string): Promise<void> {
  await writeFile(join(repository, name), change(await read(name)))
}

const manifests = await Promise.all(globSync(READING_SECRETS, { cwd: repository }).map(read))
await rewrite('README.md', withSettingsTable)
await rewrite('docker-compose.yml', withSettingsOfCompose)
await rewrite('deploy/kubernetes/base/settings.env', (text) => withSettingsOfKubernetes(text, manifests))
