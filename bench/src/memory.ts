import { readFile } from 'node:fs/promises'
import { SERVICE_NAMES } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'

/** Resident memory of the six services before any load, as one sentence; empty where the system does not tell. */
export async function memoryOf(shop: RunningShop): Promise<string> {
  const sizes: { name: string; mb: number }[] = []
  for (const name of SERVICE_NAMES) {
    const status = await readFile(`/proc/${shop.services[name].pid()}/status`, 'utf8').catch(() => '')
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1]
    if (kilobytes !== undefined) sizes.push({ name, mb: Math.round(Number(kilobytes) / 1024) })
  }
  if (sizes.length === 0) return ''
  const total = sizes.reduce((sum, size) => sum + size.mb, 0)
  return `Resident memory, idle: ${total} MB (${sizes.map(({ name, mb }) => `${name} ${mb}`).join(', ')}).\n`
}
