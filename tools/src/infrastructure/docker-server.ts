import { getContainerRuntimeClient } from 'testcontainers'
import type { StartedTestContainer } from 'testcontainers'
import { messageOf, StartError } from '../start-error.ts'
import { createVolume, describeContainer, dockerName, removeContainer, removeVolume } from './docker-container.ts'
import type { ContainerPlan } from './docker-container.ts'
import { sweepDocker } from './docker-sweep.ts'
import { freePort } from './free-port.ts'
import { describeProcess, readRunFile, rejectWhenInUse, writeRunFile } from './run-file.ts'
import type { RunningServer } from './running-server.ts'
import { waitUntil, within } from './wait-until.ts'

export interface DockerServerPlan extends ContainerPlan {
  title: string
  print: (line: string) => void
  stopSignal: 'SIGINT' | 'SIGTERM'
  urlFor(port: number, host: string): string
  /** Rejects while the server does not answer yet; with a StartError when waiting is useless. */
  check(url: string): Promise<void>
}

const responseTimeoutMs = 60_000
const stopTimeoutMs = 30_000

/** Runs a server as a container that goes when we stop it, on a volume that stays. */
export async function runInDocker(plan: DockerServerPlan): Promise<RunningServer> {
  const { name, dataDir, title, image } = plan
  const before = readRunFile(dataDir, name)
  rejectWhenInUse(dataDir, before)
  plan.print(`Starting ${title} from ${image} in Docker.`)
  await sweepDocker()
  await removeContainer(plan) // Of a launcher that was killed; it would hold the port.
  if (!before) await removeVolume(plan) // Of a data folder that was deleted, password included.
  await createVolume(plan)
  const port = await freePort(before?.port)
  const host = await engineHost()
  const url = plan.urlFor(port, host)
  let container: StartedTestContainer | undefined

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (container) await endContainer(container.getId(), signal)
    container = undefined
    writeRunFile(dataDir, name, { kind: 'docker', port })
  }
  const begin = async (): Promise<void> => {
    container = await describeContainer(plan, port, host).start()
    writeRunFile(dataDir, name, { kind: 'docker', port, launcher: describeProcess(process.pid) })
    try {
      await untilResponding(plan, url)
    } catch (error) {
      await end(plan.stopSignal)
      throw error
    }
  }

  try {
    await begin()
  } catch (error) {
    if (!before) await removeContainer(plan).then(() => removeVolume(plan)) // The data will be elsewhere.
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

async function engineHost(): Promise<string> {
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime
  return host === 'localhost' ? '127.0.0.1' : host // Not ::1, where the port is not published.
}

async function untilResponding(plan: DockerServerPlan, url: string): Promise<void> {
  let complaint = ''
  let verdict: StartError | undefined
  const responses = (): Promise<boolean> =>
    plan.check(url).then(
      () => true,
      (error: unknown) => {
        complaint = messageOf(error)
        if (error instanceof StartError) verdict = error
        return verdict !== undefined
      },
    )
  const isUp = await waitUntil(responses, { timeoutMs: responseTimeoutMs, everyMs: 100 })
  if (verdict) throw verdict
  if (!isUp) throw new Error(`${dockerName(plan)} does not answer, ${complaint}`)
}

async function endContainer(id: string, signal: NodeJS.Signals): Promise<void> {
  const container = (await getContainerRuntimeClient()).container.getById(id)
  await container.kill({ signal }).catch(() => {}) // It may have ended by itself.
  await within(container.wait(), stopTimeoutMs, 'stopping').catch(() => {}) // Then by force.
  await container.remove({ force: true })
}
