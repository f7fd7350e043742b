import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * One bash for all commands of a document, so that later blocks have the variables of earlier ones, as for a reader.
 */
export class ShellSession {
  readonly #shell
  readonly #ended
  #output = ''

  constructor(options: { cwd: string; env: Record<string, string | undefined> }) {
    // The first command that fails ends the shell.
    this.#shell = spawn('bash', ['-euo', 'pipefail'], options)
    this.#ended = once(this.#shell, 'close')
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (this.#output += part))
    }
    this.#shell.stdin.on('error', () => {}) // The shell has ended, which `run` reports.
  }

  /** @returns the output of the commands @throws Error with that output when one of them failed */
  async run(commands: string): Promise<string> {
    const end = `--- done ${Math.random()}`
    const from = this.#output.length
    this.#shell.stdin.write(`${commands}\necho; echo '${end}'\n`)
    const isDone = () => this.#output.includes(`\n${end}\n`, from)
    while (!isDone() && this.#shell.exitCode === null) {
      await Promise.race([once(this.#shell.stdout, 'data'), this.#ended])
    }
    const output = this.#output.slice(from)
    if (!isDone()) throw new Error(`a command failed:\n${output}`)
    return output.slice(0, output.indexOf(`\n${end}\n`))
  }

  /** @returns its exit code */
  async end(): Promise<number | null> {
    this.#shell.stdin.end()
    await this.#ended
    return this.#shell.exitCode
  }

  /** Ends a shell whose command does not return. */
  kill(): void {
    this.#shell.kill('SIGKILL')
  }
}
