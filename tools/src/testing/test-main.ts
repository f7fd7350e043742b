import { spawn } from 'node:child_process'

/**
 * Types and style are checked beside the tests, with what the tests leave of the processors while they wait: before
 * them the checks took half a minute. One at a time, because each takes 2 GB.
 */
const CHECKS = ['turbo', 'run', 'types', 'lint', '--concurrency=1', '--continue', '--output-logs=errors-only']
/** Tests go first: some expect replies within seconds. */
const NICENESS = '15'

// Ctrl-C reaches every process of the terminal. This one waits until the tests have stopped their servers.
process.on('SIGINT', () => {})

const checking = run('nice', ['-n', NICENESS, ...CHECKS], (output) => {
  process.stderr.write(`${output}\nA check failed. The tests go on.\n`)
})
const tests = await run('vitest', ['run', ...process.argv.slice(2)])
const checks = await checking
if (checks.code !== 0) process.stderr.write(`${checks.output}\nTypes or style are wrong, see above.\n`)
process.exitCode = tests.code === 0 ? checks.code : tests.code

/**
 * @param onFailure gets what the command printed, which is not shown. Without it the output is shown at once
 * @returns the exit code, 1 if a signal ended the command
 */
function run(
  file: string,
  args: readonly string[],
  onFailure?: (output: string) => void,
): Promise<{ code: number; output: string }> {
  const child = spawn(file, args, onFailure ? { stdio: ['ignore', 'pipe', 'pipe'] } : { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) onFailure?.(output)
      resolve({ code: code ?? 1, output })
    })
  })
}
