import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '@storefront/service/testing'
import { warmCompileCache } from './warm-compile-cache.ts'

/** Processes that were started with this folder in their environment. */
function processesWith(folder: string): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(folder)
    } catch {
      return false // The process has ended, or belongs to another user.
    }
  })
}

test.skipIf(process.platform !== 'linux')('warming that is aborted leaves no process behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'warm-compile-cache-'))
  const ending = new AbortController()
  const warmed = warmCompileCache(folder, ending.signal)
  await waitFor('a service to load', () => processesWith(folder).length > 0)
  ending.abort()
  await warmed
  expect(processesWith(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
