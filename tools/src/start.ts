import { resolve } from 'node:path'
import { help, readArguments } from './arguments.ts'
import { killAllChildren } from './infrastructure/child-process.ts'
import { removeOwnContainers } from './infrastructure/own-containers.ts'
import { buildApp } from './build-app.ts'
import { launch, type RunningShop } from './launch.ts'
import { showProgress } from './progress.ts'
import { reset } from './reset.ts'
import { readSettings } from './shop-settings.ts'
import { StartError } from './start-error.ts'
import { ignoreClosedTerminal, stopOnSignal } from './stop-on-signal.ts'
import { summaryTable } from './summary-table.ts'
import { errorText, untilStopped } from './until-stopped.ts'

const began = performance.now()
const progress = showProgress(process.stdout)
const stopping = new AbortController()
const dataDir = resolve(process.env['DATA_DIR'] || '.data')

let endingAtOnce: Promise<never> | undefined
ignoreClosedTerminal()
stopOnSignal({
  stop: () => stopping.abort(new StartError('Stopped before the shop was ready.')),
  endAtOnce: () => {
    endingAtOnce = endAtOnce()
  },
})

/** Processes come last: they would be restarted while the containers are removed. */
async function endAtOnce(): Promise<never> {
  const left = await removeOwnContainers()
  if (left.length > 0)
    process.stderr.write(`\nDocker did not remove ${left.join(', ')}: run docker rm --force ${left.join(' ')}.\n`)
  killAllChildren()
  return process.exit(130)
}

try {
  const wanted = readArguments(process.argv.slice(2))
  if (wanted.help) process.stdout.write(help())
  else await run(wanted)
  await endingAtOnce
  process.exit(0)
} catch (error) {
  // The orderly stop ends early, with errors, when its containers are removed.
  await endingAtOnce
  progress.stopClock()
  if (stopping.signal.aborted) {
    process.stdout.write('\nStopped.\n')
    process.exit(0)
  }
  process.stderr.write(`\n${errorText(error)}\n`)
  process.exit(1)
}

async function run(wanted: { reset: boolean }): Promise<void> {
  const { env } = process
  const { print } = progress
  const settings = readSettings(env)
  if (wanted.reset) await reset({ dataDir, env, print })
  const shop = await launch({
    env,
    dataDir,
    seed: true,
    print,
    signal: stopping.signal,
    storefront: true,
    beforeServices: (signal) =>
      Promise.all([buildApp('console', { print, signal }), buildApp('storefront', { print, signal })]),
  })
  progress.stopClock()
  const elapsedMs = performance.now() - began
  process.stdout.write(`\n${summaryTable({ shop, settings, dataDir, elapsedMs })}\n  Ctrl-C stops everything.\n\n`)
  await untilStopped(stopping.signal)
  await stop(shop)
}

async function stop(shop: RunningShop): Promise<void> {
  process.stdout.write('\nStopping; Ctrl-C again ends everything at once.\n')
  await shop.stop()
  process.stdout.write('Stopped.\n')
}
