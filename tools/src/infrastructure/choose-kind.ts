import { resolve } from 'node:path'
import { messageOf, StartError } from '../start-error.ts'
import { isDockerThere } from './docker.ts'
import { readRunFile } from './run-file.ts'
import type { ServerName } from './run-file.ts'
import type { RunningServer, ServerOptions } from './running-server.ts'

interface Ways<Options, Server> {
  name: ServerName
  inDocker: (options: Options) => Promise<Server>
  onMachine: (options: Options) => Promise<Server>
}

/** A Docker engine first, then this machine; but data that exists decides for itself. */
export async function chooseKind<Options extends ServerOptions, Server extends RunningServer>(
  given: Options,
  { name, inDocker, onMachine }: Ways<Options, Server>,
): Promise<Server> {
  const options = { ...given, dataDir: resolve(given.dataDir) }
  const { dataDir, env, print } = options
  const kind = readRunFile(dataDir, name)?.kind
  if (kind === 'machine') return onMachine(options)
  const hasDocker = await isDockerThere(env)
  if (kind === 'docker') {
    if (hasDocker) return inDocker(options).catch((error: unknown): never => cannotGoOn(name, error))
    throw new StartError(
      `The data of ${name} for ${dataDir} lies in a Docker volume, and no Docker engine answers: start Docker, or start again with npm start -- --reset.`,
    )
  }
  if (!hasDocker) return onMachine(options)
  try {
    return await inDocker(options)
  } catch (error) {
    if (error instanceof StartError) throw error
    print(`Docker could not run ${name} (${messageOf(error).trim()}): using this machine instead.`)
    return onMachine(options)
  }
}

function cannotGoOn(name: ServerName, error: unknown): never {
  if (error instanceof StartError) throw error
  throw new StartError(
    `Docker could not run ${name} (${messageOf(error).trim()}): fix Docker, or start again with npm start -- --reset.`,
  )
}
