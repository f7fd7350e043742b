import { SERVICE_NAMES } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { readProcesses } from './processes.ts'

/** CPU time so far, by process; empty where the system does not report it. */
export type CpuTimes = ReadonlyMap<string, number>

/**
 * Processor milliseconds that each part of the shop has used since it started.
 * @param helpers further processes, by name
 */
export function cpuTimes(shop: RunningShop, helpers: Record<string, number | undefined> = {}): Promise<CpuTimes> {
  return cpuTimesOf({ ...processesOf(shop), load: process.pid, ...helpers })
}

/** The ids of the shop's processes, by name. */
export function processesOf(shop: RunningShop): Record<string, number | undefined> {
  const { postgres, redis, nats } = shop.infrastructure
  return {
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, shop.services[name].pid()])),
    postgres: postgres.pid,
    redis: redis.pid,
    nats: nats.pid,
    mailbox: shop.mailbox?.pid(),
    storefront: shop.storefront?.pid(),
  }
}

/** CPU time of these processes, by name. PostgreSQL counts with all its backends, under the name `postgres`. */
export async function cpuTimesOf(ids: Readonly<Record<string, number | undefined>>): Promise<CpuTimes> {
  const processes = await readProcesses()
  const own = (pid: number | undefined) => processes.find((each) => each.pid === pid)?.ms ?? 0
  const backends = processes.filter((each) => each.parent === ids['postgres']).reduce((sum, each) => sum + each.ms, 0)
  // A pool closes connections while a shop is measured: the time of their backends would be missing afterwards.
  const ended = processes.find((each) => each.pid === ids['postgres'])?.endedChildrenMs ?? 0
  return new Map(
    Object.entries(ids).map(([name, pid]) => [name, own(pid) + (name === 'postgres' ? backends + ended : 0)]),
  )
}

/** Where the time of one piece of work goes: milliseconds of CPU time a part, the largest first. */
export function timePerPiece(before: CpuTimes, after: CpuTimes, pieces: number): string {
  return [...after]
    .map(([name, ms]) => ({ name, ms: (ms - (before.get(name) ?? 0)) / Math.max(1, pieces) }))
    .filter(({ ms }) => ms >= 0.005)
    .toSorted((one, other) => other.ms - one.ms)
    .map(({ name, ms }) => `${name} ${ms.toFixed(2)}`)
    .join(', ')
}
