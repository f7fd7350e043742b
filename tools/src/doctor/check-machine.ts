import { existsSync, readFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { mediaDir } from '../service-environment.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, ok, warn, type Finding } from './finding.ts'

const NODE_LEAST = 24
const MIB = 1024 ** 2
const GIB = 1024 ** 3
const LEAST_DISK_BYTES = 256 * MIB
const LITTLE_DISK_BYTES = 2 * GIB
/** Six services and three servers of a small shop. */
const LITTLE_MEMORY_BYTES = 512 * MIB
const FEW_FILES = 4096

export async function checkMachine(context: DoctorContext): Promise<Finding[]> {
  return [nodeVersion(process.versions.node), ...(await disks(context)), memory(freemem()), ...openFiles()]
}

export function nodeVersion(version: string): Finding {
  if (Number.parseInt(version, 10) >= NODE_LEAST) return ok('Node', version)
  return fault('Node', version, `Run it through npm, which installs Node ${NODE_LEAST}, or install that version.`)
}

async function disks({ addresses, env, diskOf }: DoctorContext): Promise<Finding[]> {
  const { dataDir } = addresses
  const folders = new Set([dataDir, env['MEDIA_DIR'] || mediaDir(dataDir)].filter(existsSync))
  return Promise.all(
    [...folders].map(async (folder) => {
      const { freeBytes } = await diskOf(folder)
      const check = `disk of ${folder}`
      const found = `${(freeBytes / GIB).toFixed(1)} GiB free`
      if (freeBytes < LEAST_DISK_BYTES) {
        return fault(check, found, 'Free some space now, because PostgreSQL and NATS reject writes when there is none.')
      }
      return freeBytes < LITTLE_DISK_BYTES
        ? warn(check, found, 'Free some space before it runs out.')
        : ok(check, found)
    }),
  )
}

export function memory(freeBytes: number): Finding {
  const found = `${Math.round(freeBytes / MIB)} MiB free`
  if (freeBytes >= LITTLE_MEMORY_BYTES) return ok('memory', found)
  return warn('memory', found, 'End other programs or add memory, before the system ends a service to get some.')
}

function openFiles(): Finding[] {
  if (!existsSync('/proc/self/limits')) return []
  return [openFilesIn(readFileSync('/proc/self/limits', 'utf8'))]
}

/** @param limits in the format of /proc/self/limits on Linux */
export function openFilesIn(limits: string): Finding {
  const [, soft = '0'] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? []
  if (soft === 'unlimited' || Number(soft) >= FEW_FILES) return ok('open files', `${soft} allowed`)
  return warn(
    'open files',
    `${soft} allowed`,
    `Raise the limit (ulimit -n ${FEW_FILES * 4}), because each connection needs one.`,
  )
}
