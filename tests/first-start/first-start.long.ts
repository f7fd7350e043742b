import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { codeBlocks } from '../documents/code-blocks.ts'
import { printSkipped } from '../support/print-skipped.ts'
import { openMachine, USER, type Machine, type UserName } from './machine.ts'
import { exitOf } from './run.ts'
import { whyNoSystems, type SystemName } from './systems.ts'

/** What was installed before the checkout: command lines of root. */
const CONDITIONS = {
  'nothing, no package lists': 'rm -rf /var/lib/apt/lists/*',
  'redis-tools': 'apt-get -q install --yes --no-install-recommends redis-tools',
  'redis-server, its service running':
    'apt-get -q install --yes --no-install-recommends redis-server && service redis-server start; until redis-cli ping; do sleep 1; done',
  'PostgreSQL, its service running':
    'apt-get -q install --yes --no-install-recommends postgresql && service postgresql start; until pg_lsclusters | grep online; do sleep 1; done',
  'port 8080 taken': 'true',
} as const
type Condition = keyof typeof CONDITIONS

interface Case {
  system: SystemName
  condition: Condition
  as: UserName
  /** Runs the test files that once failed where these packages were installed. */
  runsTests?: boolean
  /** What `npm start` prints on a system without recent enough servers. */
  ends?: RegExp
}

const everywhere = (system: SystemName): Case[] => [
  { system, condition: 'nothing, no package lists', as: USER },
  { system, condition: 'nothing, no package lists', as: 'root' },
  { system, condition: 'redis-tools', as: USER, runsTests: system === 'Debian 12' },
  { system, condition: 'redis-server, its service running', as: USER, runsTests: system === 'Debian 12' },
  { system, condition: 'redis-server, its service running', as: 'root' },
  { system, condition: 'PostgreSQL, its service running', as: USER },
  { system, condition: 'PostgreSQL, its service running', as: 'root' },
  { system, condition: 'port 8080 taken', as: USER },
]

const CASES: Case[] = [
  ...everywhere('Debian 12'),
  ...everywhere('Debian 13'),
  ...everywhere('Ubuntu 24.04'),
  {
    system: 'Ubuntu 22.04',
    condition: 'nothing, no package lists',
    as: USER,
    ends: /Redis was not found \(.*redis-server 6\.0, and 7\.0 is required\): set REDIS_URL, start a Docker engine/,
  },
]

const TEST_FILES = [
  'services/gateway/test/rate-limit.test.ts',
  'services/gateway/test/tokens.test.ts',
  'services/gateway/test/tokens-withdrawn.test.ts',
  'tools/src/doctor/doctor.test.ts',
]

const IS_READY = /Shop +(http\S+)[^]*Ready after +(\S+ s)[^]*Ctrl-C stops everything/

const reason = whyNoSystems()
if (reason !== undefined) printSkipped('the first start on Debian and Ubuntu', reason)

const results: string[] = []
let machine: Machine | undefined

afterEach(async () => {
  await machine?.close()
  machine = undefined
})

/** A run takes an hour, so each result is printed at once. */
function report(row: string): void {
  results.push(row)
  process.stdout.write(`${row}\n`)
}

afterAll(() => {
  if (results.length === 0) return
  const head = ['| System | What is there before | As | Result | Seconds |', '| --- | --- | --- | --- | --- |']
  process.stdout.write(`\n${[...head, ...results].join('\n')}\n\n`)
})

describe.skipIf(reason !== undefined)('npm ci && npm start in a fresh checkout', () => {
  test.each(CASES)('works or gives advice on $system ($condition) as $as', async (each) => {
    machine = await openMachine(each.system, each.as)
    const prepared = await machine.run('root', prepare(each))
    expect(prepared.code, prepared.output).toBe(0)
    const before = await machine.processes()
    const began = performance.now()
    let result: string
    if (each.ends !== undefined) result = await endWithAdvice(machine, each, each.ends)
    else if (each.condition === 'port 8080 taken') result = await startBesideAnother(machine, each)
    else result = await sellOn(machine, each.as, 'npm ci && npm start')
    const seconds = Math.round((performance.now() - began) / 1000)
    expect((await machine.processes()).toSorted(), 'processes that were not ended').toEqual(before.toSorted())
    if (each.runsTests) result += `; ${await runTestFiles(machine, each.as)}`
    report(
      `| ${each.system} | ${each.condition} | ${each.as === 'root' ? 'root' : 'a user without sudo'} | ${result} | ${seconds} |`,
    )
  })
})

function prepare({ condition }: Case): string {
  return `export DEBIAN_FRONTEND=noninteractive; apt-get -q update && ${CONDITIONS[condition]}`
}

/** Starts the shop, buys what the README buys, and stops it as Ctrl-C does. @returns the result, for the table */
async function sellOn(on: Machine, as: UserName, commands: string): Promise<string> {
  const { child, output } = on.start(as, commands)
  await waitFor('the shop', () => IS_READY.test(output()) || child.exitCode !== null, 15 * 60_000)
  const [, address = '', readyAfter = ''] = IS_READY.exec(output()) ?? []
  expect(address, output()).toMatch(/^http:\/\/localhost:\d+$/)
  const [shirt] = codeBlocks('README.md', 'bash')
  const bought = await on.runOnItsNetwork(shirt?.text.replace('http://localhost:8080', address) ?? 'false')
  expect(bought, bought.output).toMatchObject({ code: 0, output: expect.stringMatching(/\npaid\n$/) })
  process.kill(-(child.pid ?? Number.NaN), 'SIGINT')
  await exitOf(child)
  expect(output()).toContain('Stopped.')
  return `sold a shirt, start took ${readyAfter}`
}

async function startBesideAnother(on: Machine, { as }: Case): Promise<string> {
  await on.takePort(8080)
  const { code, output } = await on.run(as, 'npm ci && npm start')
  expect(code).toBe(1)
  const [, advice = ''] =
    /Port 8080 is in use by another program: choose another with (PORT=\d+ npm start)\./.exec(output) ?? []
  expect(advice, output).toBe('PORT=8081 npm start')
  return `names the port and another; there ${await sellOn(on, as, advice)}`
}

async function endWithAdvice(on: Machine, { as }: Case, ends: RegExp): Promise<string> {
  const { code, output } = await on.run(as, 'npm ci && npm start')
  expect(output).toMatch(ends)
  expect(code).toBe(1)
  return `ends: ${ends.exec(output)?.[0] ?? ''}`
}

async function runTestFiles(on: Machine, as: UserName): Promise<string> {
  const { code, output } = await on.run(as, `npx vitest run --maxWorkers=2 ${TEST_FILES.join(' ')}`)
  expect(code, output).toBe(0)
  return `${TEST_FILES.length} test files passed`
}
