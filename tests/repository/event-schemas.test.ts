import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { EVENTS, WEBHOOK_TEST_TYPE, WEBHOOK_TYPES } from '@storefront/contracts'
import { filesBelow, repository } from './source-files.ts'

test('every event and webhook has its generated schema, and no published shape has changed', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tools/src/dump-event-schemas.ts', '--check'],
    { cwd: repository },
  ).catch((error: unknown) => ({ stdout: error instanceof Error && 'stdout' in error ? error.stdout : String(error) }))
  expect(stdout, 'run npm run event-schemas, which updates these files').toBe('Every schema is up to date.\n')
})

test.each<[kind: string, names: readonly string[]]>([
  ['event', EVENTS.map(({ name }) => name)],
  ['webhook', [...WEBHOOK_TYPES, WEBHOOK_TEST_TYPE]],
])('there is one schema for each %s, and no other', (kind, names) => {
  const folder = `packages/contracts/${kind}-schemas`
  const committed = filesBelow(folder).filter((path) => path.endsWith('.json'))
  expect(committed).toEqual(names.map((name) => `${folder}/${name}.json`).toSorted())
})
