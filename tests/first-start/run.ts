import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface Ended {
  code: number | null
  output: string
}

/** @returns the exit code and the output of a command */
export async function run(file: string, args: readonly string[], input?: string): Promise<Ended> {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const output = listenTo(child)
  child.stdin.on('error', () => {}) // The command ended without reading, which its exit code shows.
  child.stdin.end(input)
  const code = await exitOf(child)
  return { code, output: output() }
}

/** @throws Error with the output of the command, unless it ends with 0 */
export async function must(file: string, args: readonly string[], input?: string): Promise<string> {
  const { code, output } = await run(file, args, input)
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${output.slice(-4000)}`)
  return output
}

/** Collects the output of a process from now on. */
export function listenTo(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => (output += part))
  }
  return () => output
}

export async function exitOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close')
  return child.exitCode
}
