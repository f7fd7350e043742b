import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createNewVolume, dockerName, needsNewVolume } from './infrastructure/docker-container.ts'
import type { DockerEngine } from './infrastructure/docker-engine.ts'
import { ownerLabels, sweep } from './infrastructure/docker-sweep.ts'
import { clusterElsewhere, ensureCluster, keepFormerCluster } from './infrastructure/postgres-cluster.ts'
import { lockDataFolder } from './launcher-lock.ts'
import { reset } from './reset.ts'

let dataDir: string
const print = (): void => {}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-reset-'))
  for (const folder of ['run', 'postgres', 'media', 'packages', 'backups']) mkdirSync(join(dataDir, folder))
  writeFileSync(join(dataDir, 'secrets.json'), '{}')
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('a reset deletes the data of a shop, and keeps its backups and downloaded programs', async () => {
  await reset({ dataDir, env: {}, print })
  expect(readdirSync(dataDir).toSorted()).toEqual(['backups', 'packages', 'run'])
})

it('a reset keeps the shops on three machines, which may be running, and names their folders', async () => {
  const shops = ['high-availability', 'high-availability-from', 'high-availability-unsafe'].map((name) =>
    join(dataDir, name),
  )
  for (const shop of shops) mkdirSync(join(shop, 'run'), { recursive: true })
  const printed: string[] = []
  await reset({ dataDir, env: {}, print: (line) => void printed.push(line) })
  expect(readdirSync(dataDir).toSorted()).toEqual([
    'backups',
    'high-availability',
    'high-availability-from',
    'high-availability-unsafe',
    'packages',
    'run',
  ])
  expect(printed).toContain(
    `Keeping the data of npm run ha: to delete it, stop that shop, and delete ${shops.join(', ')}.`,
  )
})

it('a reset succeeds where only a shop on three machines has run', async () => {
  const shared = join(dataDir, 'shared')
  for (const name of ['high-availability', 'packages']) mkdirSync(join(shared, name), { recursive: true })
  await reset({ dataDir: shared, env: {}, print })
  expect(readdirSync(shared).toSorted()).toEqual(['high-availability', 'packages', 'run'])
})

it.skipIf(process.getuid?.() !== 0)('a reset names databases of machines that are outside of the folder', async () => {
  const shop = join(dataDir, 'high-availability')
  const elsewhere = clusterElsewhere(join(shop, 'machine-2'))
  for (const folder of [shop, elsewhere]) mkdirSync(folder, { recursive: true })
  const printed: string[] = []
  await reset({ dataDir, env: {}, print: (line) => void printed.push(line) })
  expect(printed.join('\n')).toContain(`delete ${shop}, ${elsewhere}.`)
  expect(existsSync(elsewhere)).toBe(true)
  rmSync(elsewhere, { recursive: true })
})

it('a reset deletes nothing in a folder with other files', async () => {
  writeFileSync(join(dataDir, 'thesis.txt'), 'years of work')
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow(
    `${dataDir} holds thesis.txt, which is not the shop's`,
  )
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
})

it('a reset deletes nothing in a folder that no shop has locked before', async () => {
  rmSync(join(dataDir, 'run'), { recursive: true })
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow(`does not look like a shop's data`)
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
})

it('a reset deletes nothing while a shop uses the folder', async () => {
  const release = await lockDataFolder(dataDir)
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow('Another shop')
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
  release()
})

it('a reset deletes damaged run files as well', async () => {
  writeFileSync(join(dataDir, 'run', 'redis.json'), '{')
  await reset({ dataDir, env: {}, print })
  expect(readdirSync(join(dataDir, 'run'))).toEqual([])
})

it('a reset of a missing folder succeeds', async () => {
  await expect(reset({ dataDir: join(dataDir, 'none'), env: {}, print })).resolves.toBeUndefined()
})

describe('without a reset', () => {
  it('a database whose password is lost stays', async () => {
    // As root it may be outside of the data folder; a test without these rights cannot create that.
    const place = process.getuid?.() === 0 ? clusterElsewhere(dataDir) : dataDir
    const version = join(place, 'postgres', 'data', 'PG_VERSION')
    mkdirSync(dirname(version), { recursive: true })
    writeFileSync(version, '18')
    const binaries = { folder: '/none', version: '18.0' }
    const start = ensureCluster(join(place, 'postgres'), { binaries, owner: undefined, dataDir })
    await expect(start).rejects.toThrow('secrets.json does not have the password that PostgreSQL was set up with')
    expect(existsSync(version)).toBe(true)
    rmSync(dataDir, { recursive: true })
    await reset({ dataDir, env: {}, print })
    expect(existsSync(version)).toBe(false)
  })

  it.skipIf(process.getuid?.() !== 0)('a database outside of a folder that was deleted is kept elsewhere', () => {
    const fresh = join(dataDir, 'fresh')
    const home = join(clusterElsewhere(fresh), 'postgres')
    mkdirSync(join(home, 'data'), { recursive: true })
    writeFileSync(join(home, 'data', 'PG_VERSION'), '18')
    const kept = keepFormerCluster(home, fresh)
    expect(kept).toContain(`${clusterElsewhere(fresh)}-until-`)
    expect(existsSync(home)).toBe(false)
    expect(existsSync(join(kept ?? '', 'postgres', 'data', 'PG_VERSION'))).toBe(true)
    expect(keepFormerCluster(home, fresh)).toBeUndefined()
    rmSync(kept ?? '', { recursive: true })
  })

  it('the volumes of a folder that is deleted, moved or not mounted stay', async () => {
    const plan = { name: 'postgres', dataDir: join(dataDir, 'unmounted') } as const
    const { engine, volumes, removed } = fakeEngine()
    volumes.add(dockerName(plan))
    await sweep(engine)
    expect(await needsNewVolume(engine, plan, undefined)).toBe(false)
    await expect(needsNewVolume(engine, { ...plan, dataDir }, {})).rejects.toThrow(
      'if the folder was moved, move it to where it was',
    )
    expect(removed).toEqual([])
  })

  it('a volume is created again only if the first start on it did not end', async () => {
    const plan = { name: 'redis', dataDir } as const
    const { engine, volumes, removed } = fakeEngine()
    expect(await needsNewVolume(engine, plan, undefined)).toBe(true)
    await createNewVolume(engine, plan)
    expect(removed).toEqual([])
    expect(await needsNewVolume(engine, plan, { isNew: true })).toBe(true)
    await createNewVolume(engine, plan)
    expect(removed).toEqual([dockerName(plan)])
    expect(await needsNewVolume(engine, plan, {})).toBe(false)
    expect([...volumes]).toEqual([dockerName(plan)])
  })

  it('only containers of the same user whose launcher was killed are removed', async () => {
    const { engine, containers, removed } = fakeEngine()
    const own = ownerLabels(dataDir)
    containers.set('running', own)
    containers.set('killed', { ...own, 'storefront.launcher': `${process.pid} long-ago` })
    containers.set('of another user', { ...own, 'storefront.user': '-1', 'storefront.launcher': '1 hidden' })
    await sweep(engine)
    expect(removed).toEqual(['killed'])
  })
})

/** There is no Docker engine on most machines that run the tests. */
function fakeEngine() {
  const volumes = new Set<string>()
  const containers = new Map<string, Record<string, string>>()
  const removed: string[] = []
  const remove = (name: string) => ({
    remove: async () => {
      removed.push(name)
      volumes.delete(name)
    },
  })
  const engine: DockerEngine = {
    listContainers: async ({ filters: { label = [] } }) =>
      [...containers]
        .map(([Id, Labels]) => ({ Id, Labels, Names: [`/${Id}`] }))
        .filter(({ Labels }) => label.every((text) => Labels[text.split('=')[0] ?? ''] === text.split('=')[1])),
    getContainer: remove,
    listVolumes: async () => ({ Volumes: [...volumes].map((Name) => ({ Name })) }),
    createVolume: async ({ Name }) => volumes.add(Name),
    getVolume: remove,
  }
  return { engine, volumes, containers, removed }
}
