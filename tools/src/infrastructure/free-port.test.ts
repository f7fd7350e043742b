import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

const choose = async (preferred: number): Promise<number> => {
  const code = `import(${JSON.stringify(new URL('free-port.ts', import.meta.url).href)})
    .then(({ freePort }) => freePort(${preferred})).then((port) => process.stdout.write(String(port)))`
  return Number((await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])).stdout)
}

test('a reserved port is given to no other caller, in this process or another, even before anything listens', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()))
  expect(new Set(ports).size).toBe(50)
  const [port = 0] = ports
  expect(await choose(port)).not.toBe(port)
})

test('the holder of a port gets it again', async () => {
  const port = await freePort()
  expect(await freePort(port)).toBe(port)
})

test('a port of a process that has ended is free', async () => {
  const port = await choose(await freePort())
  expect(await freePort(port)).toBe(port)
})
