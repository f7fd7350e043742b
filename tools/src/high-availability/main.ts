import { join, resolve } from 'node:path'
import { killAllChildren } from '../infrastructure/child-process.ts'
import { showProgress } from '../progress.ts'
import { readOptions } from '../read-options.ts'
import { StartError } from '../start-error.ts'
import { ignoreClosedTerminal, stopOnSignal } from '../stop-on-signal.ts'
import { errorText, untilStopped } from '../until-stopped.ts'
import { endPostmasters } from './end-postmasters.ts'
import { startCluster } from './start-cluster.ts'
import { clusterSummary } from './summary.ts'

const help = `npm run ha              runs the shop on three machines of this computer; Ctrl-C stops it
npm run ha -- --help    shows this

Each machine has etcd, Patroni with PostgreSQL, HAProxy, NATS, Redis with a sentinel, and one replica of each service.
Kill any process by its id: the shop keeps running. As root on Linux each machine has a network of its own.
Needs Linux, two processors and 4 GB of free memory. What is not installed is unpacked from Debian's packages.

Environment: that of npm start, except DATABASE_URL, REDIS_URL, NATS_URL and ONE_PROCESS.
`

const stopping = new AbortController()
const progress = showProgress(process.stdout)
const dataDir = resolve(process.env['DATA_DIR'] || '.data')
const clusterDir = join(dataDir, 'high-availability')
ignoreClosedTerminal()
stopOnSignal({
  stop: () => stopping.abort(new StartError('Stopped before the shop was ready.')),
  endAtOnce: () => {
    killAllChildren()
    endPostmasters(clusterDir)
    process.exit(130)
  },
})

try {
  const { help: wantsHelp } = readOptions('npm run ha', { help: { type: 'boolean', short: 'h' } }).values
  if (wantsHelp === true) process.stdout.write(help)
  else await run()
  process.exit(0)
} catch (error) {
  progress.stopClock()
  process.stderr.write(`\n${errorText(error)}\n`)
  process.exit(1)
}

async function run(): Promise<void> {
  const cluster = await startCluster({
    env: process.env,
    dataDir: clusterDir,
    cacheDir: join(dataDir, 'packages'),
    print: progress.print,
    signal: stopping.signal,
  })
  progress.stopClock()
  process.stdout.write(`\n${await clusterSummary(cluster)}\n  Ctrl-C stops everything.\n\n`)
  await untilStopped(stopping.signal)
  process.stdout.write('\nStopping; Ctrl-C again ends everything at once.\n')
  await cluster.stop()
  process.stdout.write('Stopped.\n')
}
