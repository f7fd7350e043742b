import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { buildPrograms } from '@storefront/tools/testing'
import { DOCUMENTS, readText, repository } from '../repository/source-files.ts'

/** The commands in blocks and in the text; those that only print the options start no load. */
const found = DOCUMENTS.flatMap((document) => [...readText(document).matchAll(/npm run bench(?: --[^`\n]*)?/g)])
const commands = [...new Set(found.map(([command]) => command.trim()))].filter((command) => !command.includes('--help'))
/** The last one of an option counts, so these replace what the documents measure with. */
const LITTLE = '--seconds 0.2 --rounds 1 --rate 50 --backlog 200 --minutes 1'
const FEW_PRODUCTS = '--products 200'

/** Each takes both processors for up to two minutes: one is always run, all of them with BENCH=all. */
const isWhole = process.env['BENCH'] === 'all'
const DEFAULT = 'npm run bench -- --only checkout'

function little(command: string): string {
  const options = command.includes('--products') ? `${LITTLE} ${FEW_PRODUCTS}` : LITTLE
  return `${command}${command.includes(' -- ') ? '' : ' --'} ${options}`
}

test('the documents have bench commands', () => {
  expect(commands).toEqual(expect.arrayContaining([DEFAULT, 'npm run bench', 'npm run bench -- --events']))
})

test('every documented option exists', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'bench', '--', '--help'], { cwd: repository })
  const reported = new Set(stdout.match(/--[a-z-]+/g))
  const used = commands.flatMap((command) => command.match(/--[a-z-]+/g) ?? [])
  expect(used).toEqual(expect.arrayContaining(['--products', '--events', '--accounts']))
  expect(used.filter((option) => !reported.has(option))).toEqual([])
})

describe('a short run prints a table:', () => {
  for (const command of commands) {
    const tried = isWhole || command === DEFAULT
    test.skipIf(!tried)(`${command}${tried ? '' : ' (SKIPPED: BENCH=all tries it)'}`, async () => {
      const env = { ...process.env, BENCH_PROGRAMS: await buildPrograms() }
      const { stdout } = await promisify(execFile)('bash', ['-c', little(command)], { cwd: repository, env })
      expect(stdout).toMatch(/^\| -+ \|/m)
    })
  }
})
