import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageCache, waitFor } from '@storefront/tools/testing'
import { DOCUMENTS, readText, repository } from '../repository/source-files.ts'
import { codeBlocks, commandLines } from './code-blocks.ts'

/** Blocks marked `sh` alone are for a fresh checkout: they start the shop, test it or measure it. */
const lines = DOCUMENTS.flatMap((document) => commandLines(codeBlocks(document, 'sh')))

test('each line is a command that is tested', () => {
  expect(lines).toEqual(expect.arrayContaining(['npm ci && npm start', 'npm ci && npm test']))
  const known = /^((npm ci && )?npm test|(npm ci && )?(\w+=\S+ )*npm start|npm run bench.*)$/
  expect(lines.filter((line) => !known.test(line))).toEqual([])
})

test('continuous integration runs the line for the tests', () => {
  const commands = commandLines([{ line: 1, info: '', text: readText('.ci/run') }])
  expect(commands.filter((line) => /\bnpm (ci|test)\b/.test(line))).toEqual([
    expect.stringMatching(/^npm ci\b/),
    expect.stringMatching(/\bnpm test\b/),
    expect.stringMatching(/\bnpm test\b/),
  ])
})

describe('npm start', () => {
  let dataDir: string
  let launcher: ChildProcess
  let output = ''

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'storefront-start-'))
    // Packages that were downloaded for other tests are not downloaded again.
    await mkdir(packageCache(), { recursive: true })
    await symlink(packageCache(), join(dataDir, 'packages'))
    const compiled = process.env['NODE_COMPILE_CACHE']
    if (compiled !== undefined) await symlink(compiled, join(dataDir, 'compile-cache'))
    await mkdir(join(packageCache(), 'programs'), { recursive: true })
    await symlink(join(packageCache(), 'programs'), join(dataDir, 'programs'))
    // A start is expensive, so one start sets all variables that the documents set.
    const set = lines.flatMap((line) => (line.endsWith('npm start') ? (line.match(/\w+=\S+/g) ?? []) : []))
    launcher = spawn('bash', ['-c', `exec env ${set.join(' ')} npm start`], {
      cwd: repository,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', DATA_DIR: dataDir, PORT: '0' },
      // A process group of its own, so that Ctrl-C reaches all its processes, as in a terminal.
      detached: true,
    })
    for (const stream of [launcher.stdout, launcher.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (output += part))
  })

  afterAll(async () => {
    if (isRunning()) {
      const ended = once(launcher, 'close')
      interrupt()
      await ended
    }
    await rm(dataDir, { recursive: true, force: true })
  })

  const isRunning = () => launcher.exitCode === null && launcher.signalCode === null
  const interrupt = () => process.kill(-(launcher.pid ?? Number.NaN), 'SIGINT')

  test('prints when and where the shop is ready, serves the demo products, and ends at Ctrl-C', async () => {
    const table = /Shop +(http\S+)[\s\S]*Ready after[\s\S]*Ctrl-C stops everything/
    await waitFor('the table', () => !isRunning() || table.test(output), 200_000)
    expect(output).toMatch(table)
    const address = table.exec(output)?.[1] ?? ''
    const response = await fetch(`${address}/products?in_stock=true&per_page=1`)
    expect(await response.json()).toMatchObject({ total: expect.any(Number), items: [expect.anything()] })
    // This shop runs built files: only here would a check be missing that the bundler has left out.
    const evading = await fetch(`${address}/auth/%%36%63ogin`, { method: 'POST' })
    expect(evading.status, 'a path that hides that of a strict rate limit').toBe(404)
    const ended = once(launcher, 'close')
    interrupt()
    await ended
    expect(output).toContain('Stopped.')
    await expect(fetch(`${address}/readyz`)).rejects.toThrow('fetch failed')
  })
})
