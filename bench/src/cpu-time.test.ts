import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cpuTimesOf } from './cpu-time.ts'

/** For each line that it reads: keeps one processor busy for a moment, in a child process that then ends. */
const PARENT = `while read line; do sh -c 'n=0; while [ $n -lt 60000 ]; do n=$((n + 1)); done'; echo done; done`

test.skipIf(process.platform !== 'linux')('the time of backends that have ended still counts', async () => {
  const parent = spawn('sh', ['-c', PARENT], { stdio: ['pipe', 'pipe', 'ignore'] })
  const times: number[] = []
  for (let child = 0; child < 3; child++) {
    parent.stdin.write('\n')
    await once(parent.stdout, 'data')
    times.push((await cpuTimesOf({ postgres: parent.pid })).get('postgres') ?? 0)
  }
  parent.stdin.end()
  await once(parent, 'exit')
  expect(times[0]).toBeGreaterThan(0)
  expect(times[1]).toBeGreaterThan(times[0] ?? NaN)
  expect(times[2]).toBeGreaterThan(times[1] ?? NaN)
})
