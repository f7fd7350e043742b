import { messageOf, StartError } from '../start-error.ts'

/** A server of the environment, in a Docker engine, or of a program on this machine. */
export interface RunningServer {
  readonly url: string
  /** For people: 'environment', 'Docker postgres:18-alpine', '/usr/bin/redis-server', … */
  readonly source: string
  readonly pid?: number | undefined
  stop(): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Kills it (SIGKILL), as a power cut would. */
  kill(): Promise<void>
}

export interface ServerOptions {
  dataDir: string
  env: NodeJS.ProcessEnv
  print: (line: string) => void
  /** Where unpacked packages are kept; several data folders may share one. */
  cacheDir?: string
  /** Cancels the download of packages. */
  signal?: AbortSignal
}

/** A server of the environment, which the launcher must not stop. */
export function serverOfEnvironment(url: string): RunningServer {
  const nothing = async (): Promise<void> => {}
  return { url, source: 'environment', stop: nothing, start: nothing, kill: nothing }
}

/**
 * The server whose address a variable has; undefined when it is not set.
 * @param wanted what must be there, such as `usable Redis`
 * @throws StartError when `check` rejects the address
 */
export async function givenServer(
  { env }: ServerOptions,
  { variable, wanted, check }: { variable: string; wanted: string; check: (url: string) => Promise<void> },
): Promise<RunningServer | undefined> {
  const url = env[variable]
  if (!url) return undefined
  await check(url).catch((error: unknown): never => {
    throw new StartError(`${variable} is not the address of a ${wanted} (${messageOf(error)}): correct or unset it.`)
  })
  return serverOfEnvironment(url)
}
