import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

const FULL = '/dev/full'
/** Logs at once and after the first write has failed, and ends as a service does. */
const PROGRAM = `
  import { createLog } from '@storefront/service'
  const log = createLog({ service: 'test', level: 'info' })
  log.info('x'.repeat(10_000))
  setTimeout(() => {
    log.info('x'.repeat(10_000))
    process.stderr.write('still here')
    setTimeout(() => process.exit(0), 300)
  }, 300)`

test.skipIf(process.platform !== 'linux')(
  'a full disk under the log neither ends the process nor keeps it from ending',
  () => {
    const ended = spawnSync(process.execPath, [...process.execArgv, '--input-type=module', '--eval', PROGRAM], {
      cwd: import.meta.dirname,
      stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect(ended).toMatchObject({ status: 0, stderr: 'still here' })
  },
)

test('the arguments of a command that Redis rejected are not logged', () => {
  const lines: string[] = []
  const log = createLog({ service: 'test', level: 'info' }, { write: (line) => void lines.push(line) })
  const command = { name: 'hello', args: ['3', 'AUTH', 'default', 'top-secret'] }
  log.warn({ err: Object.assign(new Error('WRONGPASS'), { code: 'E1', command }) }, 'Redis cannot be reached')
  log.error({ err: 'top' }, 'not an error')
  expect(lines.map((line) => JSON.parse(line).err)).toMatchObject([
    { type: 'Error', message: 'WRONGPASS', code: 'E1' },
    'top',
  ])
  expect(lines.join('')).not.toContain('top-secret')
})
