import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, test } from 'vitest'

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
