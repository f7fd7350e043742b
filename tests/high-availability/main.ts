import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startCluster } from '@storefront/tools/high-availability'
import { runExperiment } from './experiment.ts'
import { faultTable, isWithinAims } from './fault-table.ts'
import { FAULTS } from './faults.ts'
import { openMailCollector, type MailCollector } from './mail-collector.ts'
import { observeShop } from './observe-shop.ts'

const help = `npm run ha:faults -- [options]   makes machines and engines fail under load, and checks every order afterwards

  --rate 5         new buyers in a second
  --seconds 30     how long each fault lasts
  --only word      only faults whose name contains the word
  --help           shows this
`

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
const SETTINGS = {
  // Goods of a checkout that died are released while the shop is watched.
  RESERVATION_TTL_SECONDS: '60',
  // All buyers of the load come from one address.
  RATE_LIMIT_GENERAL: '0',
  RATE_LIMIT_AUTH: '0',
  RATE_LIMIT_RESET: '0',
  RATE_LIMIT_CHECKOUT: '0',
  RATE_LIMIT_DISCOUNT: '0',
}
const print = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)

const positive = z.coerce.number().positive().max(3600)
const rate = positive.safeParse(values.rate).data
const seconds = positive.safeParse(values.seconds).data
const wanted = FAULTS.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))

if (values.help) process.stdout.write(help)
else if (rate === undefined || seconds === undefined || wanted.length === 0) {
  process.stderr.write(`--rate and --seconds are numbers up to 3600, and --only is part of one of:\n`)
  for (const { name } of FAULTS) process.stderr.write(`  ${name}\n`)
  process.exitCode = 2
} else process.exitCode = (await run(rate, seconds)) ? 0 : 1

async function run(rate: number, seconds: number): Promise<boolean> {
  const dataDir = resolve(process.env['DATA_DIR'] || '.data', 'high-availability')
  let mailCollector: MailCollector | undefined
  const cluster = await startCluster({
    env: { ...process.env, ...SETTINGS },
    moreEnv: async (hostAddress) => {
      mailCollector = await openMailCollector(hostAddress)
      return { SMTP_URL: mailCollector.url }
    },
    dataDir,
    cacheDir: resolve(process.env['DATA_DIR'] || '.data', 'packages'),
    print,
  })
  try {
    if (!mailCollector) throw new Error('nothing collects the mails')
    const observers = await observeShop(cluster, mailCollector, { variants: 20, units: 100_000, fewUnits: 50 })
    const result = await runExperiment({
      cluster,
      observers,
      faults: wanted.filter(({ cutsOff }) => cutsOff !== true || cluster.network.cutOff),
      ratePerSecond: rate,
      faultMs: seconds * 1000,
      historyPath: join(dataDir, 'history.jsonl'),
      print,
    })
    for (const violation of result.violations) print(JSON.stringify(violation))
    for (const work of result.unfinished) print(`Not finished: ${work}`)
    process.stdout.write(`\n${faultTable(result)}\n`)
    await observers.close()
    return isWithinAims(result)
  } finally {
    await cluster.stop()
    await mailCollector?.close()
  }
}
