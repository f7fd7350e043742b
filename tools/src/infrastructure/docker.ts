import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ContainerRuntimeClient } from 'testcontainers'
import type { DockerServerPlan } from './docker-server.ts'
import type { RunningServer } from './running-server.ts'
import { within } from './wait-until.ts'

const responseTimeoutMs = 1_500
let client: Promise<ContainerRuntimeClient | undefined> | undefined

/** Whether a Docker engine responds. Checked once, in less than two seconds. */
export async function isDockerRunning(env: NodeJS.ProcessEnv): Promise<boolean> {
  client ??= mayBeInstalled(env) ? connect() : Promise.resolve(undefined)
  return (await client) !== undefined
}

async function connect(): Promise<ContainerRuntimeClient | undefined> {
  try {
    const { getContainerRuntimeClient } = await import('testcontainers')
    return await within(getContainerRuntimeClient(), responseTimeoutMs, 'connecting to the Docker engine')
  } catch {
    return undefined
  }
}

// Loading testcontainers takes half a second, which is saved on machines without Docker.
function mayBeInstalled(env: NodeJS.ProcessEnv): boolean {
  if (env['DOCKER_HOST']) return true
  const home = homedir()
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid?.() ?? 0}`
  return [
    '/var/run/docker.sock',
    join(runtime, 'docker.sock'),
    join(home, '.docker', 'run', 'docker.sock'),
    join(home, '.docker', 'desktop', 'docker.sock'),
    join(home, '.testcontainers.properties'),
  ].some((path) => existsSync(path))
}

/**
 * Loads the code for containers only when it is needed, because that takes half a second and most machines run programs
 * instead.
 */
export async function runInDocker(plan: DockerServerPlan): Promise<RunningServer> {
  const server = await import('./docker-server.ts')
  return server.runInDocker(plan)
}
