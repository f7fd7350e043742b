import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** Runs Node with these arguments until it ends. @returns its exit code and what it printed */
export async function runProgram(args: string[], env: NodeJS.ProcessEnv): Promise<Finished> {
  return promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Finished) => ({ code, stdout, stderr }),
  )
}
