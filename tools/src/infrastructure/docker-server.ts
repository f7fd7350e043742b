import { createHash } from 'node:crypto'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import type { StartedTestContainer } from 'testcontainers'
import { messageOf, StartError } from '../start-error.ts'
import { freePort } from './free-port.ts'
import { describeProcess, readRunFile, refuseWhenInUse, writeRunFile } from './run-file.ts'
import type { ServerName } from './run-file.ts'
import type { RunningServer } from './running-server.ts'
import { waitUntil } from './wait-until.ts'

export interface DockerServerPlan {
  name: ServerName
  title: string
  dataDir: string
  say: (line: string) => void
  image: string
  containerPort: number
  /** Where the image keeps its data; a named volume of this data folder is mounted there. */
  volumeTarget: string
  environment?: Record<string, string>
  files?: { content: string; target: string }[]
  command: string[]
  stopSignal: 'SIGINT' | 'SIGTERM'
  urlFor(port: number, host: string): string
  check(url: string): Promise<void>
}

const startTimeoutMs = 60_000

/** Runs a server as a container that goes when we stop it, on a volume that stays. */
export async function runInDocker(plan: DockerServerPlan): Promise<RunningServer> {
  const { name, dataDir } = plan
  const before = readRunFile(dataDir, name)
  refuseWhenInUse(dataDir, before)
  const client = await getContainerRuntimeClient()
  const host = client.info.containerRuntime.host
  const port = await freePort(before?.port)
  const url = plan.urlFor(port, host)
  let container: StartedTestContainer | undefined

  const begin = async (): Promise<void> => {
    // The name is this data folder's alone, so no second container can ever write to the same volume.
    await removeContainer(dockerName(dataDir, name))
    container = await createContainer(plan, port, host).start()
    writeRunFile(dataDir, name, { kind: 'docker', port, launcher: describeProcess(process.pid) })
    let complaint = ''
    const answers = (): Promise<boolean> =>
      plan.check(url).then(
        () => true,
        (error: unknown) => {
          complaint = messageOf(error)
          return false
        },
      )
    if (await waitUntil(answers, { timeoutMs: startTimeoutMs, everyMs: 100 })) return
    throw new StartError(`${plan.title} in Docker does not answer (${complaint}): see "docker logs ${dockerName(dataDir, name)}".`)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!container) return
    const stopping = client.container.getById(container.getId())
    await stopping.kill({ signal }).catch(() => {}) // It may have ended by itself.
    await stopping.wait().catch(() => {})
    await stopping.remove({ force: true }).catch(() => {})
    container = undefined
    writeRunFile(dataDir, name, { kind: 'docker', port })
  }

  plan.say(`${plan.title}: starting ${plan.image} in Docker.`)
  await begin()
  return {
    url,
    source: `Docker ${plan.image}`,
    stop: () => end(plan.stopSignal),
    start: async () => {
      if (!container) await begin()
    },
    kill: () => end('SIGKILL'),
  }
}

/** The name of the container and of the volume. */
export function dockerName(dataDir: string, name: ServerName): string {
  return `storefront-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-${name}`
}

/** Deletes what a data folder keeps in Docker; --reset calls it. */
export async function removeDockerData(dataDir: string, name: ServerName): Promise<void> {
  await removeContainer(dockerName(dataDir, name))
  const { dockerode } = (await getContainerRuntimeClient()).container
  await dockerode.getVolume(dockerName(dataDir, name)).remove()
}

async function removeContainer(name: string): Promise<void> {
  const { container } = await getContainerRuntimeClient()
  const leftover = (await container.dockerode.listContainers({ all: true })).find(({ Names }) => Names.includes(`/${name}`))
  if (leftover) await container.getById(leftover.Id).remove({ force: true })
}

function createContainer(plan: DockerServerPlan, port: number, host: string): ServerContainer {
  const container = new ServerContainer(plan.image)
    .withName(dockerName(plan.dataDir, plan.name))
    .withBindMounts([{ source: dockerName(plan.dataDir, plan.name), target: plan.volumeTarget, mode: 'rw' }])
    .withEnvironment(plan.environment ?? {})
    .withCopyContentToContainer((plan.files ?? []).map((file) => ({ ...file, mode: 0o644 })))
    .withCommand(plan.command)
    // Otherwise a helper container (and its image) removes ours some seconds after a crash of this process; we replace
    // leftovers by name, which is enough.
    .withAutoCleanup(false)
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(startTimeoutMs)
  container.publish(plan.containerPort, port, host)
  return container
}

class ServerContainer extends GenericContainer {
  publish(containerPort: number, port: number, host: string): void {
    this.withExposedPorts({ container: containerPort, host: port })
    // An engine on this machine need not offer the port to the network.
    const address = host === 'localhost' || host === '127.0.0.1' ? { HostIp: '127.0.0.1' } : {}
    this.hostConfig.PortBindings = { [`${containerPort}/tcp`]: [{ ...address, HostPort: String(port) }] }
  }
}
