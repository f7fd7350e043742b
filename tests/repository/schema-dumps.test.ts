import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'

const repository = resolve(import.meta.dirname, '../..')

test('every schema.sql is the result of the migrations', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tools/src/dump-schema.ts', '--check'],
    { cwd: repository, env: { ...process.env, DATABASE_URL: inject('servers').databaseAdminUrl } },
  ).catch((error: unknown) => ({ stdout: String(error) }))
  expect(stdout, 'run npm run schema, which updates these files').toBe('Every schema.sql is up to date.\n')
})
