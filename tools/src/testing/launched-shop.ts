import { SERVICE_NAMES } from '@storefront/contracts'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { processIdentity } from '../infrastructure/process-identity.ts'
import { launch, type LaunchOptions, type RunningShop } from '../launch.ts'
import { readProcesses } from '../processes-file.ts'
import { readSettings } from '../shop-settings.ts'
import { summaryTable } from '../summary-table.ts'
import { packageCache } from './global-setup.ts'

export interface LaunchedShop {
  shop: RunningShop
  dataDir: string
}

/** Variables with which `testLaunchedShop` needs the shop to be launched. */
export const LAUNCH_ENVIRONMENT = { OTEL_SERVICE_NAMESPACE: 'shop', SECRET_OF_MINE: 'do not pass on' }

/** Makes folders as an earlier version created them, in the data folder of a shop that is to be launched. */
export function openToOthers(dataDir: string): void {
  for (const name of ['media', 'mail']) mkdirSync(join(dataDir, name), { mode: 0o755 })
  writeFileSync(join(dataDir, 'media', 'old.svg'), '<svg/>', { mode: 0o644 })
  chmodSync(dataDir, 0o755)
}

const launchIn = (dataDir: string, more: Partial<LaunchOptions> = {}): Promise<RunningShop> =>
  launch({
    env: { PATH: process.env['PATH'], PORT: '0', STARTUP_MEMORY: 'keep', PASSWORD_HASH_COST: 'lowest' },
    dataDir,
    cacheDir: packageCache(),
    seed: false,
    print: () => {},
    ...more,
  })

/** Declares tests of a shop with processes and servers of its own, in a folder that `openToOthers` prepared. */
export function testLaunchedShop(opened: () => LaunchedShop): void {
  describe('a launched shop', () => {
    it('responds through the gateway', async () => {
      expect((await fetch(`${opened().shop.url}/readyz`)).status).toBe(200)
    })

    it('has a process for each service, and records it', () => {
      const { shop, dataDir } = opened()
      const noted = readProcesses(dataDir)
      for (const name of SERVICE_NAMES) {
        expect(noted[name]).toMatchObject({
          pid: shop.services[name].pid(),
          port: Number(new URL(shop.services[name].url).port),
        })
      }
    })

    it.skipIf(process.platform !== 'linux')('gives each service only the variables that it needs', () => {
      const { shop } = opened()
      const reported = (name: (typeof SERVICE_NAMES)[number]): string =>
        readFileSync(`/proc/${shop.services[name].pid()}/environ`, 'utf8')
      expect(reported('gateway')).toContain('ACTOR_PRIVATE_KEY=')
      expect(reported('gateway')).toContain('OTEL_SERVICE_NAMESPACE=shop')
      expect(reported('gateway')).not.toContain('DATABASE_URL=')
      expect(reported('identity')).toContain(shop.adminPassword)
      for (const name of ['catalog', 'cart', 'orders', 'notifier'] as const) {
        expect(reported(name)).toContain(`postgres://shop_${name}:`)
        expect(reported(name)).not.toMatch(/ACTOR_PRIVATE_KEY|ADMIN_PASSWORD|SECRET_OF_MINE/)
      }
    })

    it('keeps everything in its data folder for its owner alone', () => {
      const { dataDir } = opened()
      const paths = [
        dataDir,
        ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((path) => join(dataDir, path)),
      ]
      expect(paths).toEqual(
        expect.arrayContaining(['secrets.json', 'logs', 'run', 'media/old.svg'].map((path) => join(dataDir, path))),
      )
      // When the shop runs as root, other users may pass through a folder, see makeFolder.
      const forbidden = (isFolder: boolean) => (isFolder && process.getuid?.() === 0 ? 0o066 : 0o077)
      const open = paths.filter((path) => {
        const stats = lstatSync(path, { throwIfNoEntry: false })
        return stats && !stats.isSymbolicLink() && (stats.mode & forbidden(stats.isDirectory())) !== 0
      })
      expect(open).toEqual([])
    })

    it('shows its mails at the address with the token, and not without it', async () => {
      const { shop, dataDir } = opened()
      expect((await fetch(shop.mailbox?.url ?? '')).status).toBe(401)
      expect(shop.mailboxPage).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/)
      const page = await fetch(shop.mailboxPage ?? '', { redirect: 'manual' })
      expect(page.status).toBe(303)
      expect(summaryTable({ shop, settings: readSettings({}), dataDir, elapsedMs: 1 })).toContain(shop.mailboxPage)
    })

    it('restarts a service that was killed, on the same address', async () => {
      const { orders } = opened().shop.services
      const before = orders.pid()
      await orders.kill('SIGKILL')
      await orders.waitReady()
      expect(orders.pid()).not.toBe(before)
      expect((await fetch(`${orders.url}/readyz`)).status).toBe(200)
    })

    it('runs without a stopped service until that is started', async () => {
      const { shop } = opened()
      const { notifier } = shop.services
      await notifier.stop()
      expect(notifier.pid()).toBeUndefined()
      expect((await fetch(`${shop.url}/healthz`)).status).toBe(200)
      await notifier.start()
      await notifier.waitReady()
    })

    it('prevents another launch with its data folder', async () => {
      const { shop, dataDir } = opened()
      await expect(launchIn(dataDir)).rejects.toThrow(`Another shop (process ${process.pid}) is using ${dataDir}`)
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
    })
  })
}

/**
 * Declares tests of the end of that shop. They may follow others of their suite that stop it.
 * @param options.alsoCanceled whether it starts once more with all its processes, and is stopped meanwhile
 */
export function testStoppedShop(opened: () => LaunchedShop, { alsoCanceled }: { alsoCanceled: boolean }): void {
  let pids: number[]

  // Before all tests of the suite, because a stopped shop has none.
  beforeAll(() => {
    const { infrastructure, services } = opened().shop
    const servers = [infrastructure.postgres, infrastructure.redis, infrastructure.nats].map(({ pid }) => pid)
    pids = [...Object.values(services).map((service) => service.pid()), ...servers].filter((pid) => pid !== undefined)
  })

  it('ends every process when it is stopped, and has the same data when it starts again', async () => {
    const { shop, dataDir } = opened()
    const { adminPassword, url } = shop
    expect(pids.length).toBeGreaterThanOrEqual(SERVICE_NAMES.length)
    await shop.stop()
    expect(pids.map(processIdentity)).toEqual(pids.map(() => undefined))
    // In one process: what is looked at does not depend on how it starts.
    const again = await launchIn(dataDir, { inThisProcess: true })
    await again.stop()
    expect(again).toMatchObject({ adminPassword, url })
  })

  it.runIf(alsoCanceled)('can be canceled while it starts, and leaves no process running', async () => {
    const { dataDir } = opened()
    const abort = new AbortController()
    const print = (line: string): void => {
      if (line.includes('Starting the six services')) abort.abort(new Error('canceled'))
    }
    await expect(launchIn(dataDir, { print, signal: abort.signal })).rejects.toThrow('canceled')
    const processes = readProcesses(dataDir)
    expect(Object.keys(processes)).toEqual(expect.arrayContaining([...SERVICE_NAMES, 'mailbox']))
    expect(Object.values(processes).filter(({ pid }) => pid !== undefined)).toEqual([])
  })
}
