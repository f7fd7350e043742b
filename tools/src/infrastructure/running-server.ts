/** Where a server came from: the environment, a Docker engine, or a program on this machine. */
export interface RunningServer {
  readonly url: string
  /** For people: 'environment', 'Docker postgres:18-alpine', '/usr/bin/redis-server', … */
  readonly source: string
  readonly pid?: number | undefined
  stop(): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Pulls the plug (SIGKILL). */
  kill(): Promise<void>
}

export interface ServerOptions {
  dataDir: string
  env: NodeJS.ProcessEnv
  print: (line: string) => void
  settings?: Record<string, string>
  /** Where unpacked packages are kept; several data folders may share one. */
  cacheDir?: string
  /** Ends the fetching of packages. */
  signal?: AbortSignal
}

/** What an address in the environment leads to is not ours to stop. */
export function serverOfEnvironment(url: string): RunningServer {
  const nothing = async (): Promise<void> => {}
  return { url, source: 'environment', stop: nothing, start: nothing, kill: nothing }
}
