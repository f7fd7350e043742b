import { SERVICE_NAMES } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { readProcesses } from './processes.ts'

/** Processor time so far, by process; empty where the system does not report it. */
export type CpuTimes = ReadonlyMap<string, number>

/**
 * Processor milliseconds that each part of the shop has used since it started. PostgreSQL counts with all its backends.
 * @param helpers further processes, by name
 */
export async function cpuTimes(shop: RunningShop, helpers: Record<string, number | undefined> = {}): Promise<CpuTimes> {
  const processes = await readProcesses()
  const own = (pid: number | undefined) => processes.find((each) => each.pid === pid)?.ms ?? 0
  const { postgres, redis, nats } = shop.infrastructure
  const backends = processes.filter((each) => each.parent === postgres.pid).reduce((sum, each) => sum + each.ms, 0)
  return new Map([
    ...SERVICE_NAMES.map((name): [string, number] => [name, own(shop.services[name].pid())]),
    ['postgres', own(postgres.pid) + backends],
    ['redis', own(redis.pid)],
    ['nats', own(nats.pid)],
    ['mailbox', own(shop.mailbox?.pid())],
    ['storefront', own(shop.storefront?.pid())],
    ['load', own(process.pid)],
    ...Object.entries(helpers).map(([name, pid]): [string, number] => [name, own(pid)]),
  ])
}

/** Where the time of one piece of work goes: milliseconds of processor a part, the largest first. */
export function timePerPiece(before: CpuTimes, after: CpuTimes, pieces: number): string {
  return [...after]
    .map(([name, ms]) => ({ name, ms: (ms - (before.get(name) ?? 0)) / Math.max(1, pieces) }))
    .filter(({ ms }) => ms >= 0.005)
    .toSorted((one, other) => other.ms - one.ms)
    .map(({ name, ms }) => `${name} ${ms.toFixed(2)}`)
    .join(', ')
}
