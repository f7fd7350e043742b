import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'
import { SERVICE_NAMES } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { openGround } from './ground.ts'
import { describeMachine } from './machine.ts'
import { keepBusyWithoutFailure } from './measure.ts'
import { residentMegabytes } from './memory.ts'
import { runOpenLoop } from './open-loop.ts'
import { percentile } from './percentile.ts'
import { buy, type Purchase } from './soak-buyer.ts'
import { FAULTS, type Fault } from './soak-faults.ts'
import { openLedger, type Ledger } from './soak-ledger.ts'
import { openStorefront } from './soak-storefront.ts'
import { markdownTable } from './table.ts'

interface SoakOptions {
  minutes: number
  /** The share of the peak, from 0 to 1. */
  share: number
  /** Whether something breaks every minute. */
  hasFaults: boolean
}

const MINUTE_MS = 60_000
const PEAK_SECONDS = 30
const PEAK_BUYERS = 16
/** Purchases in progress at most: a fault makes them wait, and the open loop still begins others. */
const MAX_AT_ONCE = 2000
/** One in this many purchases is of the scarce product. */
const SCARCE_SHARE = 20
const FAULT_AT_MS = 20_000

interface Minute {
  fault: string
  purchases: { ms: number; endedMs: number; purchase: Purchase }[]
  memory: string
  /** At its end. */
  waitingMails: number
}

/**
 * Sells at a share of the peak, with a fault every minute unless faults are off, and then counts everything. The exit
 * code is 1 when an order or a unit is missing or duplicated, or a buyer got no response.
 */
export async function benchSoak({ minutes, share, hasFaults }: SoakOptions): Promise<void> {
  const storefront = await openStorefront()
  const opened = await openGround({ edgeCache: true, storefrontUrl: storefront.url })
  const { shop, variantIds } = opened.ground
  const connections = new Pool(shop.url, { connections: 256, pipelining: 1, headersTimeout: 15_000 })
  const ledger = openLedger(shop)
  try {
    console.log(describeMachine())
    const peak = await measurePeak(connections, variantIds)
    const perSecond = peak * share
    const count = Math.round(perSecond * minutes * 60)
    const scarce = { units: Math.round(count / SCARCE_SHARE / 2), variantId: '' }
    scarce.variantId = (await opened.addProduct('soak-scarce', scarce.units)).variantId
    console.log(
      `Peak ${peak.toFixed(0)} purchases a second; ${perSecond.toFixed(0)} a second for ${minutes} minutes from here.\n`,
    )

    const timeline = Array.from({ length: minutes }, (): Minute => ({
      fault: 'nothing',
      purchases: [],
      memory: '',
      waitingMails: 0,
    }))
    const startMs = performance.now()
    const minuteNow = () => Math.min(minutes - 1, Math.floor((performance.now() - startMs) / MINUTE_MS))
    const injecting = breakSomething({ shop, ledger, startMs, timeline, faults: hasFaults ? FAULTS : [] })
    await runOpenLoop({
      perSecond,
      count,
      atATime: MAX_AT_ONCE,
      now: () => performance.now(),
      pause: () => setTimeout(5),
      isStopped: () => false,
      async start(number) {
        const minute = minuteNow()
        const began = performance.now()
        const variantId = number % SCARCE_SHARE === 0 ? scarce.variantId : variantIds[number % variantIds.length]
        const purchase = await buy(connections, variantId ?? '')
        const endedMs = performance.now()
        timeline[minute]?.purchases.push({ ms: endedMs - began, endedMs, purchase })
      },
    })
    await injecting
    await settleAndReport({ ledger, announced: storefront.paid, scarce, timeline })
  } finally {
    await connections.close()
    await ledger.close()
    await opened.close()
    await storefront.close()
  }
}

/** Waits for unfinished work, then prints what the buyers got and what the shop stored. */
async function settleAndReport({
  ledger,
  announced,
  scarce,
  timeline,
}: {
  ledger: Ledger
  announced: ReadonlyMap<string, number>
  scarce: { variantId: string; units: number }
  timeline: readonly Minute[]
}): Promise<void> {
  console.error('The last buyer is done; waiting for unfinished work, which may take minutes.')
  const settled = await ledger.settle()

  const purchases = timeline.flatMap((minute) => minute.purchases.map(({ purchase }) => purchase))
  const confirmed = purchases.flatMap((purchase) => (purchase.kind === 'order' ? [purchase.orderId] : []))
  const failed = purchases.flatMap((purchase) => (purchase.kind === 'failed' ? [purchase.last] : []))
  const reconciled = [
    ...(await ledger.reconcile({ confirmed, announced, scarce })),
    { check: 'buyers without a response', count: failed.length },
  ]
  console.log(timelineTable(timeline))
  console.log(`\n${checkoutsOf(timeline.flatMap(({ purchases: each }) => each)).summary}`)
  console.log(
    `\n${confirmed.length} orders of ${purchases.length} buyers; ${settled.toFixed(0)} s of waiting for unfinished work.\n`,
  )
  console.log(
    markdownTable(
      ['must be zero', 'found'],
      reconciled.map(({ check, count: found }) => [check, String(found)]),
    ),
  )
  for (const last of failed.slice(0, 5)) console.error(last)
  if (reconciled.some(({ count: found }) => found > 0)) process.exitCode = 1
}

/**
 * Purchases a second with as many buyers as keep the shop busy, each beginning a purchase when the one before is done.
 */
async function measurePeak(shop: Parameters<typeof buy>[0], variantIds: readonly string[]): Promise<number> {
  const work = async (caller: number, turn: number) => {
    // A prime, so that callers at the same turn buy variants that are far apart.
    const purchase = await buy(shop, variantIds[(caller * 7919 + turn) % variantIds.length] ?? '')
    if (purchase.kind === 'failed') throw new Error(`a purchase failed before any fault: ${purchase.last}`)
    if (purchase.kind === 'sold out') throw new Error('a product was sold out before any fault')
  }
  await keepBusyWithoutFailure(PEAK_BUYERS, 5, work) // Warms caches and the compilers.
  return (await keepBusyWithoutFailure(PEAK_BUYERS, PEAK_SECONDS, work)).perSecond
}

/** Injects one fault a minute, 20 s after its start, so that each minute shows the failure and the recovery. */
async function breakSomething({
  shop,
  ledger,
  startMs,
  timeline,
  faults,
}: {
  shop: RunningShop
  ledger: Ledger
  startMs: number
  timeline: readonly Minute[]
  faults: readonly Fault[]
}): Promise<void> {
  for (const [minute, current] of timeline.entries()) {
    const endMs = startMs + (minute + 1) * MINUTE_MS
    await setTimeout(FAULT_AT_MS)
    const fault = faults[minute % faults.length]
    if (fault) {
      current.fault = fault.name
      await fault.inject(shop)
    }
    await setTimeout(Math.max(0, endMs - 2000 - performance.now()))
    current.memory = await memoryNow(shop)
    current.waitingMails = await ledger.waitingMails()
    console.error(
      `minute ${minute + 1} of ${timeline.length}: ${current.fault}; ${current.purchases.length} purchases, ${current.waitingMails} mails waiting`,
    )
    await setTimeout(Math.max(0, endMs - performance.now()))
  }
}

async function memoryNow(shop: RunningShop): Promise<string> {
  const sizes = await Promise.all(SERVICE_NAMES.map((name) => residentMegabytes(shop.services[name].pid())))
  return sizes.map((size) => size ?? '–').join(' ')
}

function timelineTable(timeline: readonly Minute[]): string {
  const rows = timeline.map(({ fault, purchases, memory, waitingMails }, index) => {
    const sorted = purchases.map(({ ms }) => ms).toSorted(ascending)
    const checkouts = checkoutsOf(purchases)
    const soldOut = purchases.filter(({ purchase }) => purchase.kind === 'sold out').length
    // A purchase takes three requests.
    const retried = purchases.filter(({ purchase }) => purchase.tries > 3).length
    return [
      String(index + 1),
      fault,
      String(checkouts.count),
      String(soldOut),
      String(purchases.length - checkouts.count - soldOut),
      String(retried),
      ...[0.5, 0.99, 1].map((part) => percentile(sorted, part).toFixed(0)),
      checkouts.p99.toFixed(0),
      checkouts.longestPause.toFixed(0),
      String(waitingMails),
      memory,
    ]
  })
  return markdownTable(
    [
      'minute',
      'fault',
      'orders',
      'sold out',
      'failed',
      'retries',
      'p50 ms',
      'p99 ms',
      'slowest ms',
      'checkout p99 ms',
      'longest pause ms',
      'mails waiting',
      `memory MB: ${SERVICE_NAMES.join(' ')}`,
    ],
    rows,
  )
}

const ascending = (one: number, other: number) => one - other

/** How long the checkouts of these purchases took, and the longest time between the ends of two, in milliseconds. */
function checkoutsOf(purchases: Minute['purchases']) {
  const checkouts = purchases.flatMap(({ endedMs, purchase }) =>
    purchase.kind === 'order' ? [{ endedMs, ms: purchase.checkoutMs }] : [],
  )
  const sorted = checkouts.map(({ ms }) => ms).toSorted(ascending)
  const ends = checkouts.map(({ endedMs }) => endedMs).toSorted(ascending)
  const longestPause = Math.max(0, ...ends.slice(1).map((end, index) => end - (ends[index] ?? end)))
  const [p50, p99, slowest] = [0.5, 0.99, 1].map((part) => percentile(sorted, part).toFixed(0))
  const summary = `A checkout took ${p50} ms in the middle, ${p99} at the 99th percentile and ${slowest} at most; the longest pause between two was ${longestPause.toFixed(0)} ms.`
  return { count: checkouts.length, p99: percentile(sorted, 0.99), longestPause, summary }
}
