import { createHash } from 'node:crypto'
import { GenericContainer, Wait } from 'testcontainers'
import { StartError } from '../start-error.ts'
import type { DockerEngine } from './docker-engine.ts'
import { ownerLabels } from './docker-sweep.ts'
import type { RunFile, ServerName } from './run-file.ts'

/** A server of a data folder. */
interface OwnedByShop {
  name: ServerName
  dataDir: string
}

export interface ContainerPlan extends OwnedByShop {
  image: string
  containerPort: number
  /** Where the image keeps its data; a named volume of this data folder is mounted there. */
  volumeTarget: string
  environment?: Record<string, string>
  files?: { content: string; target: string }[]
  command: string[]
}

const startTimeoutMs = 60_000

/**
 * The name of the container and of the volume. It is unique for a data folder, so that no second container can use the
 * volume.
 */
export function dockerName({ dataDir, name }: OwnedByShop): string {
  return `storefront-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-${name}`
}

export function describeContainer(plan: ContainerPlan, port: number, host: string): GenericContainer {
  const volume = { source: dockerName(plan), target: plan.volumeTarget, mode: 'rw' } as const
  return (
    new ServerContainer(plan.image)
      .withName(dockerName(plan))
      .withLabels(ownerLabels(plan.dataDir))
      .withBindMounts([volume])
      .withEnvironment(plan.environment ?? {})
      .withCopyContentToContainer((plan.files ?? []).map((file) => ({ ...file, mode: 0o644 })))
      .withCommand(plan.command)
      // Without a helper container that would remove this one: the next start removes it by its name.
      .withAutoCleanup(false)
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(startTimeoutMs)
      .serveOn(port, host, plan.containerPort)
  )
}

class ServerContainer extends GenericContainer {
  serveOn(port: number, host: string, containerPort: number): this {
    this.withExposedPorts({ container: containerPort, host: port })
    // An engine on this machine must not publish the port to the network.
    const address = host === '127.0.0.1' ? { HostIp: host } : {}
    this.hostConfig.PortBindings = { [`${containerPort}/tcp`]: [{ ...address, HostPort: String(port) }] }
    this.hostConfig.RestartPolicy = { Name: 'on-failure', MaximumRetryCount: 10 }
    return this
  }
}

/**
 * Whether a server starts with a new volume. A volume that exists is used even if the data folder does not know it,
 * because only a reset deletes data.
 * @param before the run file of the server, if the data folder has one
 * @throws StartError when the volume with the data of this folder does not exist
 */
export async function needsNewVolume(
  engine: DockerEngine,
  plan: OwnedByShop,
  before: Pick<RunFile, 'isNew'> | undefined,
): Promise<boolean> {
  if (before?.isNew) return true
  if (await hasVolume(engine, plan)) return false
  if (!before) return true
  throw new StartError(
    `The data of ${plan.name} for ${plan.dataDir} is in a Docker volume, and there is no ${dockerName(plan)}, which is its name for this folder: if the folder was moved, move it to where it was, or start again with npm start -- --reset, which deletes the data of the shop.`,
  )
}

/** Creates the volume of a server, in place of one from a first start that did not end. */
export async function createNewVolume(engine: DockerEngine, plan: OwnedByShop): Promise<void> {
  await removeVolume(engine, plan)
  await engine.createVolume({ Name: dockerName(plan), Labels: ownerLabels(plan.dataDir) })
}

export async function removeVolume(engine: DockerEngine, plan: OwnedByShop): Promise<void> {
  if (await hasVolume(engine, plan)) await engine.getVolume(dockerName(plan)).remove()
}

async function hasVolume(engine: DockerEngine, plan: OwnedByShop): Promise<boolean> {
  const { Volumes } = await engine.listVolumes({ filters: { name: [dockerName(plan)] } })
  return Volumes.some(({ Name }) => Name === dockerName(plan)) // The filter also finds longer names.
}

export async function removeContainer(engine: DockerEngine, plan: OwnedByShop): Promise<void> {
  const containers = await engine.listContainers({ all: true, filters: { name: [dockerName(plan)] } })
  const leftover = containers.find(({ Names }) => Names.includes(`/${dockerName(plan)}`))
  if (leftover) await engine.getContainer(leftover.Id).remove({ force: true })
}
