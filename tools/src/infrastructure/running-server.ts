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
  settings?: Record<string, string>
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
