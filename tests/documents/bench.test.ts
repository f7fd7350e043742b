import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText, repository } from '../repository/source-files.ts'
import { runProgram } from '../support/run-program.ts'
import { benchCommands } from './bench-commands.ts'

test('the documents have bench commands', () => {
  expect(benchCommands()).toEqual(
    expect.arrayContaining(['npm run bench', 'npm run bench -- --events', 'npm run bench -- --only checkout']),
  )
})

test('every documented option exists', async () => {
  // Without npm, whose start takes half a second of CPU time.
  const program = 'bench/src/main.ts'
  expect(readText('package.json')).toContain(`"bench": "node ${program}"`)
  const { stdout } = await runProgram([join(repository, program), '--help'], process.env)
  const reported = new Set(stdout.match(/--[a-z-]+/g))
  const used = benchCommands().flatMap((command) => command.match(/--[a-z-]+/g) ?? [])
  expect(used).toEqual(expect.arrayContaining(['--products', '--events', '--accounts']))
  expect(used.filter((option) => !reported.has(option))).toEqual([])
})
