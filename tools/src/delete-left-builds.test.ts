import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteLeftBuilds } from './delete-left-builds.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storefront-app-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('builds of processes that were killed are deleted, and no other file of the application', () => {
  const { pid: ended } = spawnSync('true')
  const kept = ['dist', `dist-${process.pid}`, 'dist-of-mine', 'src']
  for (const name of [...kept, `dist-${ended}`, `dist-${ended}-before`]) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'index.html'), name)
  }
  deleteLeftBuilds(folder)
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted())
})
