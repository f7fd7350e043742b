import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { faultTable, meetsTargets } from './fault-table.ts'
import { FAULTS } from './faults.ts'
import { runFaults } from './run-faults.ts'

const help = `npm run ha:faults -- [options]   makes machines and engines fail under load, and checks every order afterwards

  --rate 5           new buyers per second; by default 60 percent of the measured peak rate
  --seconds 30       how long each fault lasts
  --minutes 60       a random fault every two minutes for this long, instead of each fault once
  --only word        only faults whose name contains the word
  --unsafe-commits   PostgreSQL acknowledges commits that no standby has: the check must find those that are lost
  --help             shows this
`

const { values } = parseArgs({
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    minutes: { type: 'string' },
    only: { type: 'string', default: '' },
    'unsafe-commits': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const positive = z.coerce.number().positive().max(3600)
const numbers = z
  .object({ rate: positive.optional(), seconds: positive, minutes: positive.optional() })
  .safeParse(values).data
const faults = FAULTS.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))

if (values.help) process.stdout.write(help)
else if (numbers === undefined || faults.length === 0) {
  process.stderr.write(`--rate, --seconds and --minutes are positive numbers up to 3600. --only is part of one of:\n`)
  for (const { name } of FAULTS) process.stderr.write(`  ${name}\n`)
  process.exitCode = 2
} else process.exitCode = (await run(numbers)) ? 0 : 1

async function run({ rate, seconds, minutes }: NonNullable<typeof numbers>): Promise<boolean> {
  const folder = process.env['DATA_DIR'] || '.data'
  const unsafeCommits = values['unsafe-commits']
  const print = (line: string): void =>
    void process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)
  const result = await runFaults({
    env: process.env,
    // The settings of the database are those of its first start.
    dataDir: resolve(folder, unsafeCommits ? 'high-availability-unsafe' : 'high-availability'),
    cacheDir: join(resolve(folder), 'packages'),
    faults,
    faultMs: seconds * 1000,
    ...(rate !== undefined && { ratePerSecond: rate }),
    ...(minutes !== undefined && { randomForMs: minutes * 60_000 }),
    unsafeCommits,
    print,
  })
  for (const violation of result.violations) print(JSON.stringify(violation))
  for (const work of result.unfinished) print(`Not finished: ${work}`)
  if (result.turnedAway > 0) print(`${result.turnedAway} buyers did not begin: too many were under way for this rate.`)
  process.stdout.write(`\n${faultTable(result)}\n`)
  return meetsTargets(result)
}
