import { createHash } from 'node:crypto'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { ownerLabels } from './docker-sweep.ts'
import type { ServerName } from './run-file.ts'

export interface ContainerPlan {
  name: ServerName
  dataDir: string
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
export function dockerName({ dataDir, name }: Pick<ContainerPlan, 'dataDir' | 'name'>): string {
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

export async function createVolume(plan: ContainerPlan): Promise<void> {
  const { dockerode } = (await getContainerRuntimeClient()).container
  // Leaves an existing volume unchanged.
  await dockerode.createVolume({ Name: dockerName(plan), Labels: ownerLabels(plan.dataDir) })
}

export async function removeVolume(plan: Pick<ContainerPlan, 'dataDir' | 'name'>): Promise<void> {
  const { dockerode } = (await getContainerRuntimeClient()).container
  const { Volumes } = await dockerode.listVolumes({ filters: { name: [dockerName(plan)] } })
  for (const { Name } of Volumes) if (Name === dockerName(plan)) await dockerode.getVolume(Name).remove()
}

export async function removeContainer(plan: Pick<ContainerPlan, 'dataDir' | 'name'>): Promise<void> {
  const { dockerode } = (await getContainerRuntimeClient()).container
  const containers = await dockerode.listContainers({ all: true, filters: { name: [dockerName(plan)] } })
  const leftover = containers.find(({ Names }) => Names.includes(`/${dockerName(plan)}`))
  if (leftover) await dockerode.getContainer(leftover.Id).remove({ force: true })
}
