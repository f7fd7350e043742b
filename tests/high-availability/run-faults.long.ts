import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkOutVersion } from '@storefront/tools/other-version'
import { packageCache, temporaryFolder } from '@storefront/tools/testing'
import { faultTable } from './fault-table.ts'
import { FAULTS } from './faults.ts'
import { restartServices } from './rolling-upgrades.ts'
import { runFaults, type RunOptions } from './run-faults.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

async function run(options: Partial<RunOptions>) {
  const dataDir = join(await temporaryFolder('storefront-machines'), 'shop')
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const result = await runFaults({
    env: {},
    dataDir,
    cacheDir: packageCache(),
    faults: FAULTS,
    faultMs: 30_000,
    print,
    ...options,
  })
  print(faultTable(result))
  return result
}

// Seconds without a checkout are printed and not compared: they depend on the machine.
test(
  'an hour in which a machine or an engine fails every two minutes loses and doubles nothing',
  async () => {
    const { violations, unfinished, windows, counts, soldOut } = await run({ randomForMs: HOUR_MS })
    expect({ violations, unfinished }).toEqual({ violations: [], unfinished: [] })
    expect(windows.flatMap(({ missing }) => missing)).toEqual([])
    expect(windows.length).toBeGreaterThan(10)
    expect(soldOut).toBeGreaterThan(windows.length / 2)
    expect(counts.orders).toBeGreaterThan(100)
    expect(counts.payments).toBe(counts.orders)
  },
  2 * HOUR_MS,
)

test(
  'the check finds what is lost with a machine when commits are acknowledged before another one has them',
  async () => {
    const faults = FAULTS.filter(({ name }) => name === 'A whole machine lost')
    const { found } = await run({ faults, unsafeCommits: true, ratePerSecond: 2 })
    expect(found['order lost']).toBeGreaterThan(0)
  },
  30 * MINUTE_MS,
)

test(
  'an upgrade of the services from the version before loses nothing under load',
  async () => {
    const other = await checkOutVersion('HEAD~1')
    onTestFinished(() => other.remove())
    const faults = FAULTS.filter(({ begin }) => begin === restartServices)
    const { violations, unfinished, counts } = await run({ faults, servicesFrom: other.folder, ratePerSecond: 2 })
    expect({ violations, unfinished }).toEqual({ violations: [], unfinished: [] })
    expect(counts.orders).toBeGreaterThan(10)
  },
  20 * MINUTE_MS,
)

// Only root can cut a machine off.
test.skipIf(process.getuid?.() !== 0)(
  'the check finds rows that a primary acknowledged while it was cut off when commits are acknowledged too early',
  async () => {
    const faults = FAULTS.filter(({ name }) => name === 'PostgreSQL primary cut off')
    const { found } = await run({ faults, unsafeCommits: true, ratePerSecond: 2 })
    expect(found['write of a fenced primary lost']).toBeGreaterThan(0)
  },
  20 * MINUTE_MS,
)
