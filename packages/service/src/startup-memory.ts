import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

const Collect = z.custom<(options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void>(
  (value) => typeof value === 'function',
)

/**
 * Returns to the system the memory that loading the code left behind, a fifth of the memory of a small service. V8
 * would keep it for as long as the process is idle; the only way to release it is its own collector, called once,
 * before there is anything to delay.
 */
export function releaseStartupMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = Collect.safeParse(runInNewContext('gc'))
  setFlagsFromString('--no-expose-gc')
  if (collect.success) collect.data({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
