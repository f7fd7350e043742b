import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'

const entry = resolve(import.meta.dirname, '../../packages/client/src/index.ts')

let missing: string[]
let chunks: { file: string; code: string; modules: string[]; imports: string[] }[]

beforeAll(async () => {
  missing = []
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    external: (id) => {
      if (isBuiltin(id)) missing.push(id)
      return isBuiltin(id)
    },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  chunks = output.flatMap((one) =>
    one.type === 'chunk' ? [{ file: one.fileName, code: one.code, modules: one.moduleIds, imports: one.imports }] : [],
  )
  await bundle.close()
})

test('nothing of Node is needed in a browser', () => {
  expect(missing).toEqual([])
})

test('what checks answers is loaded apart, so that a page without it does not pay for it', () => {
  const usesZod = ({ modules }: { modules: readonly string[] }) => modules.some((id) => id.includes('/zod/'))
  expect(loadedAtOnce().filter(usesZod)).toEqual([])
  expect(chunks.filter(usesZod)).toHaveLength(1)
})

test('what every page loads is small', () => {
  const bytes = loadedAtOnce().reduce((sum, { code }) => sum + Buffer.byteLength(code), 0)
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThan(16_000)
})

/** The entry, and what it imports without being asked for it. */
function loadedAtOnce(): typeof chunks {
  const names = new Set(chunks.slice(0, 1).map(({ file }) => file))
  for (const name of names) for (const next of chunks.find(({ file }) => file === name)?.imports ?? []) names.add(next)
  return chunks.filter(({ file }) => names.has(file))
}
