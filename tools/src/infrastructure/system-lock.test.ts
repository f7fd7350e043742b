import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSystemLock } from './system-lock.ts'

const isLinux = process.platform === 'linux'
const name = `test ${process.pid}`

/** Another process that holds the lock. */
async function startHolder() {
  const script = `
    import { withSystemLock } from ${JSON.stringify(join(import.meta.dirname, 'system-lock.ts'))}
    setInterval(() => {}, 1000)
    await withSystemLock(${JSON.stringify(name)}, { longestWaitMs: 60_000 }, async () => {
      console.log('held')
      await new Promise(() => {})
    })`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  return holder
}

it.skipIf(!isLinux)('work waits for the lock of another process, and continues when that is killed', async () => {
  const holder = await startHolder()
  const done: string[] = []
  const work = withSystemLock(name, { longestWaitMs: 60_000 }, async () => done.push('after'))
  await expect(
    withSystemLock(name, { longestWaitMs: 60_000, signal: AbortSignal.abort() }, async () => {}),
  ).rejects.toThrow('aborted')
  done.push('waited')
  holder.kill('SIGKILL')
  await work
  expect(done).toEqual(['waited', 'after'])
})

it.skipIf(!isLinux)('work begins without the lock after the longest wait', async () => {
  const holder = await startHolder()
  expect(await withSystemLock(name, { longestWaitMs: 0 }, async () => 'done')).toBe('done')
  holder.kill('SIGKILL')
})
