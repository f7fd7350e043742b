import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repository } from '../repository/source-files.ts'
import { benchCommands } from './bench-commands.ts'

test('the documents have bench commands', () => {
  expect(benchCommands()).toEqual(
    expect.arrayContaining(['npm run bench', 'npm run bench -- --events', 'npm run bench -- --only checkout']),
  )
})

test('every documented option exists', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'bench', '--', '--help'], { cwd: repository })
  const reported = new Set(stdout.match(/--[a-z-]+/g))
  const used = benchCommands().flatMap((command) => command.match(/--[a-z-]+/g) ?? [])
  expect(used).toEqual(expect.arrayContaining(['--products', '--events', '--accounts']))
  expect(used.filter((option) => !reported.has(option))).toEqual([])
})
