import { textTable } from '../events/text-table.ts'
import { showProgress } from '../progress.ts'
import { readOptions } from '../read-options.ts'
import { messageOf } from '../start-error.ts'
import { doctorContext } from './doctor-context.ts'
import { runChecks } from './run-checks.ts'

const help = `npm run doctor                 checks a shop, changes nothing, and prints what to do about each fault

-- --json                      the findings as JSON
-- --service NAME              checks the environment of this service instead of that of npm start
-- --help

The shop is the one that runs in DATA_DIR (.data), with the servers that it was started with. DATABASE_URL, REDIS_URL and
NATS_URL (as the migrate step has them), SMTP_URL and SHOP_URL select other servers; CATALOG_URL and so on single services.
POSTGRES_STANDBYS, REDIS_REPLICAS and NATS_REPLICAS say how many replicas there must be, PATRONI_URLS and ETCD_URLS where
Patroni and etcd respond; PGBACKREST_STANZA names the backups of pgBackRest to check.
The exit code is 1 when there is a fault, and 2 for invalid arguments.
`

const PROGRESS_AFTER_MS = 2000
const SIGNS = { ok: 'ok', warn: 'WARN', fault: 'FAULT' }

try {
  const known = {
    json: { type: 'boolean' },
    service: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values } = readOptions('npm run doctor', known)
  if (values.help === true) process.stdout.write(help)
  else await examine(values.json === true, values.service)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 2
}

async function examine(json: boolean, service: string | undefined): Promise<void> {
  let progress: ReturnType<typeof showProgress> | undefined
  const slow = setTimeout(() => {
    progress = showProgress(process.stderr)
    progress.print('Checking the servers.')
  }, PROGRESS_AFTER_MS)
  const findings = await runChecks(doctorContext(process.env), service)
  clearTimeout(slow)
  progress?.stopClock()
  if (json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else {
    const rows = findings.map((one) => [
      SIGNS[one.state],
      one.check,
      one.state === 'ok' ? one.found : `${one.found.replace(/\.$/, '')}. ${one.advice}`,
    ])
    process.stdout.write(textTable(['STATE', 'CHECK', 'FOUND'], rows))
  }
  if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
}
