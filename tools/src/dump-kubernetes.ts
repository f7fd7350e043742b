import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { natsUsersFile, prometheusRule } from './kubernetes-files.ts'
import { runScript } from './run-script.ts'

const help = `npm run kubernetes  updates the files of deploy/kubernetes that follow from others

nats/users.conf                             permissions of services on NATS (packages/contracts)
components/monitoring/prometheus-rule.yaml  the alerts (deploy/observability/alerts)
`

const repository = resolve(import.meta.dirname, '../..')
const folder = join(repository, 'deploy/kubernetes')

async function alerts(): Promise<string[]> {
  const paths = globSync('deploy/observability/alerts/*.yml', { cwd: repository }).toSorted()
  return Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')))
}

await runScript({ command: 'npm run kubernetes', help, options: {} }, async () => {
  await writeFile(join(folder, 'nats/users.conf'), natsUsersFile())
  await writeFile(join(folder, 'components/monitoring/prometheus-rule.yaml'), prometheusRule(await alerts()))
})
