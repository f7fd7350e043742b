import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { repository } from '../repository/source-files.ts'
import { alertTestFiles, FOLDER } from './observability-files.ts'
import { findPrometheus } from './prometheus-programs.ts'

const run = promisify(execFile)
const programs = await findPrometheus()
const inRepository = (path: string): string => join(repository, path)

describe.skipIf(!programs)('promtool', () => {
  test('accepts configuration and rules', async () => {
    const { stdout } = await run(programs?.promtool ?? '', [
      'check',
      'config',
      inRepository(`${FOLDER}/prometheus.yml`),
    ])
    expect(stdout.match(/SUCCESS: \d+ rules found/g)).toHaveLength(5)
  })

  test.each(alertTestFiles())(
    'confirms that every alert of %s fires when it should, and only when it should',
    async (file) => {
      const { stdout } = await run(programs?.promtool ?? '', ['test', 'rules', inRepository(file)])
      expect(stdout).toContain('SUCCESS')
    },
  )
})
