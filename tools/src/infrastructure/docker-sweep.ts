import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { getContainerRuntimeClient } from 'testcontainers'
import { isAlive, processIdentity } from './process-identity.ts'

const dataLabel = 'storefront.data'
const hostLabel = 'storefront.host'
const launcherLabel = 'storefront.launcher'

/** Marks the owner of a container or volume, so that a later sweep recognizes it. */
export function ownerLabels(dataDir: string): Record<string, string> {
  return {
    [dataLabel]: dataDir,
    [hostLabel]: hostname(),
    [launcherLabel]: `${process.pid} ${processIdentity(process.pid) ?? ''}`,
  }
}

let sweeping: Promise<void> | undefined

/**
 * Removes containers whose launcher was killed and volumes whose data folder was deleted. Does so once in each process.
 */
export function sweepDocker(): Promise<void> {
  sweeping ??= sweep().catch(() => {}) // A failed sweep must not stop the start.
  return sweeping
}

async function sweep(): Promise<void> {
  const { dockerode } = (await getContainerRuntimeClient()).container
  const filters = { label: [`${hostLabel}=${hostname()}`] }
  for (const { Id, Labels } of await dockerode.listContainers({ all: true, filters })) {
    const [pid, identity] = (Labels[launcherLabel] ?? '').split(' ')
    if (!isAlive(Number(pid), identity)) await dockerode.getContainer(Id).remove({ force: true })
  }
  for (const { Name, Labels } of (await dockerode.listVolumes({ filters })).Volumes) {
    const dataDir = Labels[dataLabel]
    if (dataDir !== undefined && !existsSync(dataDir)) await dockerode.getVolume(Name).remove()
  }
}
