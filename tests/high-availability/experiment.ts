import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingReplicas, type RunningCluster } from '@storefront/tools/high-availability'
import { waitFor } from '@storefront/tools/testing'
import { startBuyers, type Load } from './buyers.ts'
import { checkHistory, type CheckedHistory } from './check-history.ts'
import type { Fault } from './faults.ts'
import { openFencedWriter, type FencedWriter } from './fenced-writer.ts'
import { readShopState } from './final-state.ts'
import { openHistory } from './history.ts'
import type { ObservedShop } from './observe-shop.ts'
import type { Operation } from './operation.ts'

export interface ExperimentOptions {
  cluster: RunningCluster
  observers: Pick<ObservedShop, 'plentifulIds' | 'scarceIds'> & Parameters<typeof readShopState>[0]
  faults: readonly Fault[]
  ratePerSecond: number
  /** The file of the history. */
  historyPath: string
  /** How long a fault lasts. */
  faultMs: number
  /** Every two minutes for this long: each fault once, in random order, and then random ones. */
  randomForMs?: number
  print: (line: string) => void
}

/** The time of a fault, from its beginning until the shop had recovered. */
export interface Window {
  fault: Fault
  fromMs: number
  toMs: number
  /** What was still missing three minutes after the fault. */
  missing: string[]
}

export interface ExperimentResult extends CheckedHistory {
  operations: Operation[]
  windows: Window[]
  turnedAway: number
  /** How many of the variants with few units were sold out at the end: one was for sale during each fault. */
  soldOut: number
  /** What the shop still did when it was read; empty for an exact comparison. */
  unfinished: string[]
}

const CALM_MS = 5_000
const RANDOM_EVERY_MS = 120_000
const WHOLE_MS = 180_000
/**
 * Longer than the log of unsafe commits takes to be written, every ten seconds
 * (tools/src/high-availability/patroni.ts).
 */
const UNSAFE_LOG_MS = 15_000
/** A webhook that failed twice is sent again after five minutes, and a page that was not paid ends after seven. */
const AT_REST = { timeoutMs: 600_000 }
/** An event without a receipt is published again within four minutes (docs/decisions/0098). */
const LOST_EVENTS_MS = 270_000

/**
 * Causes one fault after the other under load, and compares afterwards what buyers saw with what the shop has. Between
 * two faults it waits until every engine has all its replicas again.
 */
export async function runExperiment(options: ExperimentOptions): Promise<ExperimentResult> {
  const { cluster, observers, ratePerSecond, historyPath, print } = options
  const atFirst = await untilWhole(cluster)
  if (atFirst.length > 0) throw new Error(`the shop is not complete: ${atFirst.join(', ')}`)
  const before = await readShopState(observers, AT_REST)
  const fencedWriter = await openFencedWriter({ cluster, folder: dirname(historyPath) })
  // Without this pause a lost machine could take the stock for sale with it, and nothing could be compared.
  if (cluster.unsafeCommits) await sleep(UNSAFE_LOG_MS)
  const history = openHistory(historyPath)
  const arrivals = new AbortController()
  let scarceId: string | undefined
  const load = startBuyers({
    url: cluster.url,
    ratePerSecond,
    history,
    variantIds: observers.plentifulIds,
    scarceId: () => scarceId,
    provider: observers.provider,
    signal: arrivals.signal,
  })
  const windows: Window[] = []
  try {
    for await (const fault of planned(options)) {
      scarceId = observers.scarceIds[windows.length]
      const window = await letHappen(fault, options, load, fencedWriter)
      scarceId = undefined
      windows.push(window)
      // What follows would be the effect of two faults.
      if (window.missing.length > 0) break
    }
    await sleep(CALM_MS)
  } finally {
    arrivals.abort()
    await load.done
    await history.close()
  }
  const operations = history.operations()
  const check = async () => {
    print('Reading what the shop has.')
    const after = await readShopState(observers, AT_REST)
    const checked = checkHistory(operations, before, after, await fencedWriter.read())
    const isSoldOut = ({ variantId, onHand }: (typeof after.stock)[number]): boolean =>
      onHand === 0 && observers.scarceIds.includes(variantId)
    return { ...checked, unfinished: after.unfinished, soldOut: after.stock.filter(isSoldOut).length }
  }
  let checked = await check()
  if (checked.violations.length > 0) {
    for (const { kind, subject, message } of checked.violations) print(`${kind}: ${subject}: ${message}`)
    print('Waiting until the shop has published lost events again.')
    await sleep(LOST_EVENTS_MS)
    checked = await check()
  }
  await fencedWriter.close()
  return { ...checked, operations, windows, turnedAway: load.turnedAway() }
}

/** @returns how many faults there will be */
export function numberOfFaults({ faults, randomForMs }: Pick<ExperimentOptions, 'faults' | 'randomForMs'>): number {
  return randomForMs === undefined ? faults.length : Math.ceil(randomForMs / RANDOM_EVERY_MS)
}

async function* planned({ faults, randomForMs }: ExperimentOptions): AsyncGenerator<Fault> {
  if (randomForMs === undefined) {
    yield* faults
    return
  }
  const startMs = performance.now()
  const left = [...faults]
  for (let number = 0; number < numberOfFaults({ faults, randomForMs }); number++) {
    // A fault from which the shop recovered late delays those that follow.
    await sleep(Math.max(0, startMs + number * RANDOM_EVERY_MS - performance.now()))
    const among = left.length > 0 ? left : faults
    const fault = among[Math.floor(Math.random() * among.length)]
    if (!fault) return
    if (left.length > 0) left.splice(left.indexOf(fault), 1)
    yield fault
  }
}

async function letHappen(
  fault: Fault,
  { cluster, faultMs, print }: ExperimentOptions,
  load: Load,
  fencedWriter: FencedWriter,
): Promise<Window> {
  await sleep(CALM_MS)
  print(`${fault.name} (${load.arrived()} buyers so far, ${load.underWay()} under way).`)
  const writesOn = await fault.writesOn?.(cluster)
  const stopWriting = writesOn && (await fencedWriter.start(writesOn))
  try {
    const fromMs = performance.now()
    const repair = await fault.begin(cluster)
    await sleep(faultMs)
    await repair()
    const missing = await untilWhole(cluster)
    if (missing.length > 0) print(`Still missing: ${missing.join(', ')}.`)
    return { fault, fromMs, toMs: performance.now(), missing }
  } finally {
    await stopWriting?.()
  }
}

/** @returns what is missing when time is up */
async function untilWhole(cluster: RunningCluster): Promise<string[]> {
  let missing: string[] = []
  const isWhole = async (): Promise<boolean> => {
    missing = await missingReplicas(cluster)
    const services = Object.values(cluster.machines).flatMap((machine) => [...machine.services.values()])
    await Promise.all(services.map((service) => service.waitReady(WHOLE_MS)))
    return missing.length === 0
  }
  await waitFor('all replicas', isWhole, WHOLE_MS).catch((error: unknown) => {
    if (missing.length === 0) missing = [String(error)]
  })
  return missing
}
