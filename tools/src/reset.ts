import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { databaseHomes } from './high-availability/database-homes.ts'
import { isDockerRunning } from './infrastructure/docker.ts'
import { removeContainer, removeVolume } from './infrastructure/docker-container.ts'
import { dockerEngine } from './infrastructure/docker-engine.ts'
import { stopLeftover } from './infrastructure/child-process.ts'
import { clusterElsewhere } from './infrastructure/postgres-cluster.ts'
import { readRunFile, type RunFile, type ServerName } from './infrastructure/run-file.ts'
import { lockDataFolder } from './launcher-lock.ts'
import { CLUSTER_FOLDERS, OWN_ENTRIES } from './files.ts'
import { endLeftoverServices } from './processes-file.ts'
import { resetExternal } from './reset-external.ts'
import { shopNamespace } from './shop-namespace.ts'
import { messageOf, StartError } from './start-error.ts'

/** Backups are needed after a reset, programs need not be fetched again, and shops on three machines may be running. */
const kept = ['backups', 'packages', ...CLUSTER_FOLDERS]
const servers = ['postgres', 'redis', 'nats'] as const

interface ResetOptions {
  dataDir: string
  env: NodeJS.ProcessEnv
  print: (line: string) => void
}

/** Deletes a shop's data: in its folder, its Docker volumes, and on servers of the environment. */
export async function reset({ dataDir: given, env, print }: ResetOptions): Promise<void> {
  const dataDir = resolve(given)
  if (existsSync(dataDir)) rejectForeignFolder(dataDir)
  const release = await lockDataFolder(dataDir)
  try {
    await endLeftoverServices(dataDir)
    await endLeftoverServers(dataDir)
    await removeFromDocker(dataDir, env)
    print(`Deleting the data in ${dataDir}.`)
    printKeptShops(dataDir, print)
    removeData(dataDir) // Some may be elsewhere, when the folder itself was deleted.
  } finally {
    release()
  }
  await resetExternal({ env, namespace: shopNamespace, print })
}

function rejectForeignFolder(dataDir: string): void {
  const entries = readdirSync(dataDir)
  const foreign = entries.find((entry) => ![...OWN_ENTRIES, ...CLUSTER_FOLDERS].includes(entry))
  if (foreign !== undefined) {
    throw new StartError(
      `${dataDir} holds ${foreign}, which is not the shop's: nothing was deleted, set DATA_DIR to the shop's folder.`,
    )
  }
  if (entries.some((entry) => !kept.includes(entry)) && !entries.includes('run')) {
    throw new StartError(
      `${dataDir} does not look like a shop's data: nothing was deleted, set DATA_DIR to the shop's folder.`,
    )
  }
}

function printKeptShops(dataDir: string, print: ResetOptions['print']): void {
  const shops = CLUSTER_FOLDERS.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  if (shops.length === 0) return
  const elsewhere = shops.flatMap((shop) => databaseHomes(shop).elsewhere).filter((path) => existsSync(path))
  const folders = [...shops, ...elsewhere].join(', ')
  print(`Keeping the data of npm run ha: to delete it, stop that shop, and delete ${folders}.`)
}

async function endLeftoverServers(dataDir: string): Promise<void> {
  for (const name of servers) {
    const server = findRunFile(dataDir, name)?.server
    if (server) await stopLeftover(server.pid, server.identity, name === 'postgres' ? 'SIGINT' : 'SIGTERM')
  }
}

async function removeFromDocker(dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const kinds = servers.map((name) => ({ name, kind: findRunFile(dataDir, name)?.kind }))
  const names = kinds.filter(({ kind }) => kind === 'docker').map(({ name }) => name)
  if (!(await isDockerRunning(env))) {
    if (names.length === 0) return
    throw new StartError(
      `The data of ${names.join(', ')} is in Docker volumes, and no Docker engine responds: start Docker first.`,
    )
  }
  const engine = await dockerEngine()
  for (const { name, kind } of kinds) {
    if (kind === 'machine') continue
    await removeContainer(engine, { dataDir, name }) // Also without a run file, which may be lost or damaged.
    await removeVolume(engine, { dataDir, name })
  }
}

function findRunFile(dataDir: string, name: ServerName): RunFile | undefined {
  try {
    return readRunFile(dataDir, name)
  } catch {
    return undefined // A damaged file may be the reason for the reset.
  }
}

function removeData(dataDir: string): void {
  try {
    rmSync(clusterElsewhere(dataDir), { recursive: true, force: true })
    for (const entry of readdirSync(dataDir)) {
      if (!kept.includes(entry) && entry !== 'run') rmSync(join(dataDir, entry), { recursive: true, force: true })
    }
    for (const name of [...servers, 'shop']) rmSync(join(dataDir, 'run', `${name}.json`), { force: true })
  } catch (error) {
    throw new StartError(`${basename(dataDir)} could not be deleted (${messageOf(error)}): delete it by hand.`)
  }
}
