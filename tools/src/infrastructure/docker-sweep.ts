import { hostname } from 'node:os'
import { dockerEngine, type DockerEngine } from './docker-engine.ts'
import { isAlive, processIdentity } from './process-identity.ts'

const dataLabel = 'storefront.data'
const hostLabel = 'storefront.host'
const userLabel = 'storefront.user'
const launcherLabel = 'storefront.launcher'

/** Marks the owner of a container or volume, for a later sweep and for people who look at the engine. */
export function ownerLabels(dataDir: string): Record<string, string> {
  return {
    ...placeLabels(),
    [dataLabel]: dataDir,
    [launcherLabel]: `${process.pid} ${processIdentity(process.pid) ?? ''}`,
  }
}

/** Separates owners, because processes of another user or another machine are invisible to this process. */
function placeLabels(): Record<string, string> {
  return { [hostLabel]: hostname(), [userLabel]: String(process.getuid?.() ?? '') }
}

let sweeping: Promise<void> | undefined

/** Removes containers whose launcher was killed. Does so once in each process. */
export function sweepDocker(): Promise<void> {
  sweeping ??= dockerEngine()
    .then(sweep)
    .catch(() => {}) // A failed sweep must not stop the start.
  return sweeping
}

/**
 * Volumes stay, because a shop whose folder is missing may have been moved, be on an unmounted disk, or be in a home
 * that this user cannot enter.
 */
export async function sweep(engine: DockerEngine): Promise<void> {
  const filters = { label: Object.entries(placeLabels()).map(([name, value]) => `${name}=${value}`) }
  for (const { Id, Labels } of await engine.listContainers({ all: true, filters })) {
    const [pid, identity] = (Labels[launcherLabel] ?? '').split(' ')
    if (!isAlive(Number(pid), identity)) await engine.getContainer(Id).remove({ force: true })
  }
}
