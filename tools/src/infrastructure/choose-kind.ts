import { resolve } from 'node:path'
import { messageOf, StartError } from '../start-error.ts'
import { isDockerRunning } from './docker.ts'
import { kindOfData, type ServerName } from './run-file.ts'
import type { RunningServer, ServerOptions } from './running-server.ts'

interface Runners<Options, Server> {
  name: ServerName
  inDocker: (options: Options) => Promise<Server>
  onMachine: (options: Options) => Promise<Server>
}

/** Runs a server where its data already is, else in Docker when there is an engine, else on this machine. */
export async function chooseKind<Options extends ServerOptions, Server extends RunningServer>(
  given: Options,
  { name, inDocker, onMachine }: Runners<Options, Server>,
): Promise<Server> {
  const options = { ...given, dataDir: resolve(given.dataDir) }
  const { dataDir, env, print } = options
  const kind = kindOfData(dataDir, name)
  if (kind === 'machine') return onMachine(options)
  const hasDocker = await isDockerRunning(env)
  if (kind === 'docker') {
    if (hasDocker) return inDocker(options).catch((error: unknown): never => throwDockerFailure(name, error))
    throw new StartError(
      `The data of ${name} for ${dataDir} is in a Docker volume, and no Docker engine responds: start Docker, or set DATA_DIR to another folder for a new shop.`,
    )
  }
  if (!hasDocker) return onMachine(options)
  try {
    return await inDocker(options)
  } catch (error) {
    if (error instanceof StartError || kindOfData(dataDir, name) === 'docker') throwDockerFailure(name, error)
    print(`Docker could not run ${name} (${messageOf(error).trim()}): using this machine instead.`)
    return onMachine(options)
  }
}

function throwDockerFailure(name: ServerName, error: unknown): never {
  if (error instanceof StartError) throw error
  throw new StartError(
    `Docker could not run ${name} (${messageOf(error).trim()}): fix Docker, or start again with npm start -- --reset, which deletes the data of the shop.`,
  )
}
