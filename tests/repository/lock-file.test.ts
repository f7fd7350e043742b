import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional(), resolved: z.string().optional() }),
  ),
})

const read = async () =>
  Lock.parse(JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'))).packages

test('the lock file has every platform package of the tools, or `npm ci` refuses on a fresh machine', async () => {
  const packages = await read()
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined,
    ),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry, so that any mirror serves', async () => {
  const hosts = Object.values(await read()).flatMap(({ resolved }) => (resolved?.startsWith('http') ? [resolved] : []))
  expect(hosts).toEqual([])
})
