import { readFile } from 'node:fs/promises'
import { SERVICE_NAMES } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { readProcesses } from './processes.ts'

interface Size {
  name: string
  mb: number
}

/** Megabytes that the catalog service may take with a hundred thousand products. */
const CATALOG_TARGET_MB = 400

/** Resident memory of the six services before any load, as one sentence; empty where the system does not report it. */
export async function memoryOf(shop: RunningShop): Promise<string> {
  const sizes = await sizesOfServices(shop)
  return sizes.length === 0 ? '' : `Resident memory, idle: ${listed(sizes)}.\n`
}

/**
 * Resident memory of every process of the shop, catalog's on a line of its own; empty where the system does not report
 * it.
 */
export async function memoryOfAll(shop: RunningShop, when: string): Promise<string> {
  const { postgres, redis, nats } = shop.infrastructure
  const services = await sizesOfServices(shop)
  const servers = [
    { name: 'postgres', mb: await megabytesOfPostgres(postgres.pid) },
    { name: 'redis', mb: await residentMegabytes(redis.pid) },
    { name: 'nats', mb: await residentMegabytes(nats.pid) },
  ].flatMap(({ name, mb }) => (mb === undefined ? [] : [{ name, mb }]))
  const catalog = services.find(({ name }) => name === 'catalog')
  if (!catalog) return ''
  return [
    `Resident memory, ${when}: ${listed([...services, ...servers])}.`,
    `catalog: ${catalog.mb} MB (target: below ${CATALOG_TARGET_MB} MB)`,
    '',
  ].join('\n')
}

async function sizesOfServices(shop: RunningShop): Promise<Size[]> {
  const sizes: Size[] = []
  for (const name of SERVICE_NAMES) {
    const mb = await residentMegabytes(shop.services[name].pid())
    if (mb !== undefined) sizes.push({ name, mb })
  }
  return sizes
}

function listed(sizes: readonly Size[]): string {
  const total = sizes.reduce((sum, size) => sum + size.mb, 0)
  return `${total} MB (${sizes.map(({ name, mb }) => `${name} ${mb}`).join(', ')})`
}

/** Undefined where the system does not report it. */
export function residentMegabytes(pid: number | undefined): Promise<number | undefined> {
  return readMegabytes(pid, 'status', /^VmRSS:\s+(\d+)/m)
}

/** The most that a process has had so far; undefined where the system does not report it. */
export function peakMegabytes(pid: number | undefined): Promise<number | undefined> {
  return readMegabytes(pid, 'status', /^VmHWM:\s+(\d+)/m)
}

/**
 * With all backends. Each process counts its part of the shared buffers, which would be counted by every one otherwise.
 */
async function megabytesOfPostgres(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined
  const processes = (await readProcesses()).filter((each) => each.pid === pid || each.parent === pid)
  const parts = await Promise.all(processes.map((each) => readMegabytes(each.pid, 'smaps_rollup', /^Pss:\s+(\d+)/m)))
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? residentMegabytes(pid) : known.reduce((sum, part) => sum + part, 0)
}

async function readMegabytes(pid: number | undefined, file: string, pattern: RegExp): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const kilobytes = pattern.exec(text)?.[1]
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
}
