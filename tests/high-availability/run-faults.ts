import { join } from 'node:path'
import { startCluster, type RunningCluster } from '@storefront/tools/high-availability'
import { numberOfFaults, runExperiment, type ExperimentOptions, type ExperimentResult } from './experiment.ts'
import type { Fault } from './faults.ts'
import { openMailCollector, type MailCollector } from './mail-collector.ts'
import { measurePeak } from './measure-peak.ts'
import { observeShop, type ObservedShop } from './observe-shop.ts'
import { openPaymentProvider, type PaymentProvider } from './payment-provider.ts'
import { switchNats, switchPostgres } from './rolling-upgrades.ts'

export interface RunOptions extends Pick<ExperimentOptions, 'faults' | 'faultMs' | 'randomForMs' | 'print'> {
  env: NodeJS.ProcessEnv
  dataDir: string
  /** The folder of downloaded packages and built programs. */
  cacheDir: string
  /** By default 60 percent of the measured peak rate. */
  ratePerSecond?: number
  /** Commits that a lost machine takes with it are acknowledged: the check must find what was lost. */
  unsafeCommits?: boolean
  /** The folder of another version of this repository, whose services run at first. */
  servicesFrom?: string
}

const PART_OF_PEAK = 0.6
/** Of the buyers, who want the scarce variant: it is sold out in the middle of the fault. */
const SCARCE_SHARE = 1 / 6
const SETTINGS = {
  // Goods of a checkout that died are released while the shop is watched.
  RESERVATION_TTL_SECONDS: '60',
  // Those of a page that was not paid, too; for its first minute the repeated checkout gets the same page.
  PAYMENT_SESSION_TTL_SECONDS: '360',
  // All buyers of the load come from one address.
  RATE_LIMIT_GENERAL: '0',
  RATE_LIMIT_AUTH: '0',
  RATE_LIMIT_RESET: '0',
  RATE_LIMIT_CHECKOUT: '0',
  RATE_LIMIT_DISCOUNT: '0',
}

/** Starts three machines, lets them fail under load, and compares what buyers saw with what the shop has. */
export async function runFaults(options: RunOptions): Promise<ExperimentResult> {
  const { dataDir, cacheDir, unsafeCommits, servicesFrom, print } = options
  let mailCollector: MailCollector | undefined
  let provider: PaymentProvider | undefined
  const cluster = await startCluster({
    env: { ...options.env, ...SETTINGS },
    moreEnv: async (hostAddress) => {
      mailCollector = await openMailCollector(hostAddress)
      provider = await openPaymentProvider(hostAddress)
      return { SMTP_URL: mailCollector.url, ...provider.env }
    },
    dataDir,
    cacheDir,
    ...(unsafeCommits !== undefined && { unsafeCommits }),
    ...(servicesFrom !== undefined && { servicesFrom }),
    findNewer: options.faults.some(({ begin }) => begin === switchNats || begin === switchPostgres),
    print,
  })
  try {
    if (!mailCollector || !provider) throw new Error('nothing collects the mails and the payments')
    const outside = { mails: mailCollector.mails, provider }
    const scarce = numberOfFaults(options)
    const observers = await observeShop(cluster, outside, { plentiful: 20, units: 100_000, scarce })
    try {
      const isPossible = ({ cutsOff }: Fault): boolean => cutsOff !== true || cluster.network.cutOff !== undefined
      for (const fault of options.faults) {
        if (isPossible(fault)) continue
        const client = fault.writesOn ? ', and the client that writes on that machine' : ''
        print(`Left out, because the machines have no network of their own: ${fault.name}${client}.`)
      }
      const ratePerSecond = options.ratePerSecond ?? (await partOfPeak(options, cluster, observers))
      await observers.stockScarce(Math.ceil((ratePerSecond * SCARCE_SHARE * options.faultMs) / 1000 / 2))
      return await runExperiment({
        ...options,
        cluster,
        observers,
        faults: options.faults.filter(isPossible),
        ratePerSecond,
        historyPath: join(dataDir, 'history.jsonl'),
      })
    } finally {
      await observers.close()
    }
  } finally {
    await cluster.stop()
    await mailCollector?.close()
    await provider?.close()
  }
}

async function partOfPeak(
  { dataDir, print }: RunOptions,
  { url }: RunningCluster,
  { plentifulIds: variantIds, provider }: ObservedShop,
): Promise<number> {
  print('Measuring the peak rate of the shop.')
  const peak = await measurePeak({ url, variantIds, provider, historyPath: join(dataDir, 'peak.jsonl') })
  const ratePerSecond = Math.max(0.1, Math.round(peak * PART_OF_PEAK * 10) / 10)
  print(`The peak is ${peak.toFixed(1)} orders per second. From now on ${ratePerSecond} buyers begin per second.`)
  return ratePerSecond
}
