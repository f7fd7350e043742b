import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readLastInvoice, readLastOrder, readOptions } from './read-options.ts'
import { amount } from './testing/index.ts'

test('an argument that a command does not know, or that lacks its value, is named with the help to read', () => {
  const read = (...args: string[]) =>
    readOptions('npm run cook', { salt: { type: 'string' }, hot: { type: 'boolean', short: 'h' } }, { args, most: 1 })
  expect(read('soup', '--salt', 'much', '-h')).toMatchObject({
    values: { salt: 'much', hot: true },
    positionals: ['soup'],
  })
  const faults: [string[], string][] = [
    [['--bad'], '--bad is an unknown argument'],
    [['--bad=1'], '--bad is an unknown argument'],
    [['-x'], '-x is an unknown argument'],
    [['soup', 'salad'], 'salad is an unknown argument'],
    [['--salt'], '--salt needs a value'],
    [['--salt', '--hot'], '--salt needs a value'],
    [['--hot=very'], '--hot takes no value'],
  ]
  for (const [args, fault] of faults) expect(() => read(...args)).toThrow(`${fault}: see npm run cook -- --help.`)
})

test('the last invoice is a whole number, and none is 0', () => {
  expect([readLastInvoice(), readLastInvoice('0'), readLastInvoice('4711')]).toEqual([0, 0, 4711])
  for (const text of ['', 'SF-4711', '-1', '4711.5'])
    expect(() => readLastInvoice(text)).toThrow('--last-invoice must be')
})

test('the last order is a whole number without the prefix of the shop, and none is 0', () => {
  expect([readLastOrder(), readLastOrder('0'), readLastOrder('10042')]).toEqual([0, 0, 10_042])
  for (const text of ['', 'SF-10042', '-1', '10042.5'])
    expect(() => readLastOrder(text)).toThrow('--last-order must be')
})

/** Each command runs in a process of its own, which loads all that the command needs. */
const COMMANDS: [string, string[], number, string][] = [
  ['bench/src/main.ts', ['--bad'], 2, '--bad is an unknown argument: see npm run bench -- --help.'],
  ['bench/src/main.ts', ['--help'], 0, 'npm run bench -- [--seconds 8]'],
  ['tests/mutation/main.ts', ['--help'], 0, 'npm run test:mutants '],
  ['tools/src/build-app-main.ts', ['console', '--help'], 0, 'npm run console '],
  ['tools/src/build-app-main.ts', ['console', 'x'], 2, 'x is an unknown argument: see npm run console -- --help.'],
  ['tools/src/transfer/export.ts', ['--bad'], 1, '--bad is an unknown argument: see npm run export -- --help.'],
  ['tools/src/backup/backup-main.ts', ['a', 'b'], 1, 'b is an unknown argument: see npm run backup -- --help.'],
  ['tools/src/backup/restore-main.ts', ['a', 'b'], 1, 'b is an unknown argument: see npm run restore -- --help.'],
  ['tools/src/doctor/main.ts', ['--bad'], 2, '--bad is an unknown argument: see npm run doctor -- --help.'],
  ['tools/src/supply-chain/write-sbom.ts', ['-h'], 0, 'npm run sbom '],
  ['tools/src/supply-chain/write-sbom.ts', ['--omit=x'], 1, '--omit=x is an unknown argument: see npm run sbom'],
  ['tools/src/fetch-docs-viewer.ts', [], 1, 'Name the version of Redoc: see npm run docs-viewer -- --help.'],
  ['tools/src/recovery/recovery-main.ts', [], 1, 'Name a command, continue or payments'],
  ['tools/src/recovery/recovery-main.ts', ['payments', '--refund'], 1, '--refund needs a value: see npm run recovery'],
]

test.each(amount({ quick: COMMANDS.slice(0, 2), long: COMMANDS }))(
  '%s %j ends with %i and one sentence, or the help',
  async (program, args, code, text) => {
    const run = promisify(execFile)(process.execPath, [resolve(import.meta.dirname, '../..', program), ...args])
    const ended = await run.catch((error: { code: number; stdout: string; stderr: string }) => error)
    const { stdout, stderr } = ended
    expect({ code: 'code' in ended ? ended.code : 0, output: stdout + stderr }).toEqual({
      code,
      output: expect.stringContaining(text),
    })
    expect(stderr.split('\n')).toHaveLength(code > 0 ? 2 : 1)
  },
)
