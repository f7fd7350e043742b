import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers'
import { messageOf, StartError } from '../start-error.ts'
import {
  createNewVolume,
  describeContainer,
  dockerName,
  needsNewVolume,
  removeContainer,
  removeVolume,
  type ContainerPlan,
} from './docker-container.ts'
import { dockerEngine, type DockerEngine } from './docker-engine.ts'
import { sweepDocker } from './docker-sweep.ts'
import { freePort } from './free-port.ts'
import { ownContainers } from './own-containers.ts'
import { describeProcess, readRunFile, rejectWhenInUse, removeRunFile, writeRunFile, type RunFile } from './run-file.ts'
import type { RunningServer } from './running-server.ts'
import { untilResponding, within } from './wait-until.ts'

export interface DockerServerPlan extends ContainerPlan {
  title: string
  print: (line: string) => void
  stopSignal: 'SIGINT' | 'SIGTERM'
  urlFor(port: number, host: string): string
  /** Rejects while the server does not respond yet; with a StartError when waiting is useless. */
  check(url: string): Promise<void>
}

const responseTimeoutMs = 60_000
const stopTimeoutMs = 30_000

/** Runs a server as a container that is removed when it stops, on a volume that stays. */
export async function runInDocker(plan: DockerServerPlan): Promise<RunningServer> {
  const { name, dataDir, title, image } = plan
  const before = readRunFile(dataDir, name)
  rejectWhenInUse(dataDir, before)
  plan.print(`Starting ${title} from ${image} in Docker.`)
  await sweepDocker()
  const engine = await dockerEngine()
  await removeContainer(engine, plan) // A container of a launcher that was killed would hold the port.
  let isNew = await needsNewVolume(engine, plan, before)
  const port = await freePort(before?.port)
  const record = (more: Pick<RunFile, 'launcher'> = {}): void =>
    writeRunFile(dataDir, name, { kind: 'docker', port, ...(isNew && { isNew }), ...more })
  record() // Before the volume exists, so that the folder knows each volume with data.
  if (isNew) await createNewVolume(engine, plan)
  const host = await engineHost()
  const url = plan.urlFor(port, host)
  const launcher = describeProcess(process.pid)
  const own = { name: dockerName(plan), remove: () => removeContainer(engine, plan) }
  let container: StartedTestContainer | undefined

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (container) await endContainer(container.getId(), signal)
    container = undefined
    ownContainers.delete(own)
    record()
  }
  const begin = async (): Promise<void> => {
    ownContainers.add(own)
    container = await describeContainer(plan, port, host).start()
    record({ launcher })
    const fault = await untilResponding(() => plan.check(url), { timeoutMs: responseTimeoutMs, everyMs: 100 })
    if (fault !== undefined) {
      await end(plan.stopSignal)
      throw fault instanceof StartError ? fault : new Error(`${dockerName(plan)} does not respond: ${messageOf(fault)}`)
    }
    isNew = false
    record({ launcher })
  }

  try {
    await begin()
  } catch (error) {
    if (isNew) {
      await undoFirstStart(engine, plan)
      ownContainers.delete(own)
    }
    throw error
  }
  return {
    url,
    source: `Docker ${image}`,
    stop: () => end(plan.stopSignal),
    kill: () => end('SIGKILL'),
    start: async () => {
      if (!container) await begin()
    },
  }
}

/** Removes what a failed first start left, because the server will run without Docker. */
async function undoFirstStart(engine: DockerEngine, plan: DockerServerPlan): Promise<void> {
  await removeContainer(engine, plan)
  await removeVolume(engine, plan)
  removeRunFile(plan.dataDir, plan.name)
}

async function engineHost(): Promise<string> {
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime
  return host === 'localhost' ? '127.0.0.1' : host // Not ::1, where the port is not published.
}

async function endContainer(id: string, signal: NodeJS.Signals): Promise<void> {
  const container = (await getContainerRuntimeClient()).container.getById(id)
  await container.kill({ signal }).catch(() => {}) // It may have ended already.
  await within(container.wait(), stopTimeoutMs, 'stopping').catch(() => {}) // Then `remove` kills it.
  await container.remove({ force: true })
}
