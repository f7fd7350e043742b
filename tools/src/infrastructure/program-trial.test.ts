import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { tryProgram } from './program-trial.ts'

const folder = mkdtempSync(join(tmpdir(), 'storefront-program-trial-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function program(content: string): string {
  const file = join(folder, `program-${content.length}`)
  writeFileSync(file, content)
  chmodSync(file, 0o755)
  return file
}

it('a trial reads the version that a program prints', async () => {
  const file = program('#!/bin/sh\necho nats-server: v2.10.27\n')
  expect(await tryProgram(file, { libraryPath: '' })).toEqual({ outcome: 'ran', version: [2, 10] })
})

it('a program that does not end in time is busy, and not broken', async () => {
  const file = program('#!/bin/sh\nexec sleep 600\n')
  expect(await tryProgram(file, { libraryPath: '', timeoutMs: 50 })).toEqual({ outcome: 'busy' })
})

it('a program that fails, crashes or does not exist is broken', async () => {
  const broken = [
    program('#!/bin/sh\nexit 127\n'),
    program('#!/bin/sh\nkill -SEGV $$\n'),
    program('\u007fELF'),
    join(folder, 'none'),
  ]
  for (const file of broken) expect(await tryProgram(file, { libraryPath: '' }), file).toEqual({ outcome: 'broken' })
})
