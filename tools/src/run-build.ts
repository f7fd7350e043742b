import { spawn } from 'node:child_process'

interface RunOptions {
  cwd: string
  env?: NodeJS.ProcessEnv
  timeoutMs: number
  /** Kills the process. */
  signal?: AbortSignal
}

/**
 * Runs a build as a process of Node. Resolves and rejects only when the process has ended, so that what it wrote can be
 * deleted.
 * @throws Error with what the process wrote to its standard error
 */
export function runBuild(args: readonly string[], { cwd, env, timeoutMs, signal }: RunOptions): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [...args], {
      cwd,
      ...(env && { env }),
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    // An aborted process also causes an error, but ends only a moment later, with `close`.
    child.once('error', (error) => child.pid === undefined && failed(error))
    child.once('close', (code, ending) => {
      if (code === 0) done()
      else failed(new Error(errors.trim() || `the build ended with ${ending ?? code}`))
    })
  })
}
