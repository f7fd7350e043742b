import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '@storefront/service/testing'
import { packageCache } from '../testing/index.ts'
import { buildPrograms, programSources, programsOrSources } from './build-programs.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-programs-'))
})

afterAll(() => rm(folder, { recursive: true }))

test('programs are built once for their sources, and run', async () => {
  const { fileOf, compileCache } = await buildPrograms(packageCache())
  const file = fileOf('services/cart/src/main.ts')
  // The compiled code is deleted together with an old build.
  expect(file).toContain(dirname(compileCache))
  const built = statSync(file).mtimeMs
  expect((await buildPrograms(packageCache())).fileOf('services/cart/src/main.ts')).toBe(file)
  expect(statSync(file).mtimeMs).toBe(built)
  const { status, stderr } = spawnSync(process.execPath, [file], { env: {}, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('DATABASE_URL') })
})

/** Processes whose arguments name this folder. */
function processesOf(path: string): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(path)
    } catch {
      return false // The process has ended.
    }
  })
}

test.skipIf(process.platform !== 'linux')(
  'a build that is aborted leaves no process and no program behind',
  async () => {
    const cacheDir = join(folder, 'aborted')
    const ending = new AbortController()
    const building = buildPrograms(cacheDir, { signal: ending.signal })
    const ended = building.catch(String)
    await waitFor('the build to start', () => processesOf(cacheDir).length > 0)
    ending.abort()
    expect(await ended).toBe('Error: the build ended with SIGKILL')
    expect(processesOf(cacheDir)).toEqual([])
    expect(readdirSync(join(cacheDir, 'programs')).filter((name) => !name.endsWith('.unfinished'))).toEqual([])
  },
)

test('a shop whose programs cannot be built runs their sources, and says why', async () => {
  const cacheDir = join(folder, 'blocked')
  await mkdir(cacheDir)
  await writeFile(join(cacheDir, 'programs'), '')
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const programs = await programsOrSources(cacheDir, { print, signal: new AbortController().signal })
  expect(lines).toEqual([
    'Building the services.',
    expect.stringMatching(/^The services could not be built, so they run from their sources: .*programs/),
  ])
  const file = programs.fileOf('services/cart/src/main.ts')
  expect(file).toBe(programSources(cacheDir).fileOf('services/cart/src/main.ts'))
  expect(existsSync(file)).toBe(true)
})
