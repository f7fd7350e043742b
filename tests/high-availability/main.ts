import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { databaseHomes } from '@storefront/tools/high-availability'
import { checkOutVersion } from '@storefront/tools/other-version'
import { faultTable, meetsTargets } from './fault-table.ts'
import { FAULTS } from './faults.ts'
import { restartServices } from './rolling-upgrades.ts'
import { runFaults } from './run-faults.ts'

const help = `npm run ha:faults -- [options]   makes machines and engines fail under load, and checks every order afterwards

  --rate 5           new buyers per second; by default 60 percent of the measured peak rate
  --seconds 30       how long each fault lasts
  --minutes 60       a fault every two minutes for this long: each once, in random order, then random ones
  --only word        only faults whose name contains the word
  --unsafe-commits   PostgreSQL acknowledges commits that no standby has: the check must find those that are lost
  --from REF         only the upgrade of our services, which begin with that version of this repository
  --help             shows this
`

const { values } = parseArgs({
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    minutes: { type: 'string' },
    only: { type: 'string', default: '' },
    'unsafe-commits': { type: 'boolean', default: false },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const positive = z.coerce.number().positive().max(3600)
const numbers = z
  .object({ rate: positive.optional(), seconds: positive, minutes: positive.optional() })
  .safeParse(values).data
const faults = FAULTS.filter(
  ({ name, begin }) =>
    name.toLowerCase().includes(values.only.toLowerCase()) && (values.from === undefined || begin === restartServices),
)
const print = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)

if (values.help) process.stdout.write(help)
else if (numbers === undefined || faults.length === 0) {
  process.stderr.write(`--rate, --seconds and --minutes are positive numbers up to 3600. --only is part of one of:\n`)
  for (const { name } of FAULTS) process.stderr.write(`  ${name}\n`)
  process.exitCode = 2
} else {
  const isGood = await (values.from === undefined ? run(numbers) : runFrom(values.from, numbers))
  process.exitCode = isGood ? 0 : 1
}

async function runFrom(ref: string, options: NonNullable<typeof numbers>): Promise<boolean> {
  print(`Checking out ${ref} and installing its packages.`)
  const { name, folder, remove } = await checkOutVersion(ref)
  print(`The services begin with ${name}.`)
  try {
    return await run(options, folder)
  } finally {
    await remove()
  }
}

async function run({ rate, seconds, minutes }: NonNullable<typeof numbers>, servicesFrom?: string): Promise<boolean> {
  const folder = process.env['DATA_DIR'] || '.data'
  const unsafeCommits = values['unsafe-commits']
  // The settings of the database are those of its first start.
  const dataDir = resolve(folder, unsafeCommits ? 'high-availability-unsafe' : 'high-availability')
  const result = await runFaults({
    env: process.env,
    dataDir: servicesFrom === undefined ? dataDir : await emptyFolder(resolve(folder, 'high-availability-from')),
    cacheDir: join(resolve(folder), 'packages'),
    faults,
    faultMs: seconds * 1000,
    ...(rate !== undefined && { ratePerSecond: rate }),
    ...(minutes !== undefined && { randomForMs: minutes * 60_000 }),
    ...(servicesFrom !== undefined && { servicesFrom }),
    unsafeCommits,
    print,
  })
  for (const violation of result.violations) print(JSON.stringify(violation))
  for (const work of result.unfinished) print(`Not finished: ${work}`)
  if (result.turnedAway > 0) print(`${result.turnedAway} buyers did not begin: too many were under way for this rate.`)
  process.stdout.write(`\n${faultTable(result)}\n`)
  return meetsTargets(result)
}

/** Deletes the data of an earlier run, which this version has migrated. */
async function emptyFolder(dataDir: string): Promise<string> {
  for (const path of [dataDir, ...databaseHomes(dataDir).elsewhere]) await rm(path, { recursive: true, force: true })
  return dataDir
}
