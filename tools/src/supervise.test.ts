import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { freePort } from './infrastructure/free-port.ts'
import { isAlive } from './infrastructure/process-identity.ts'
import { waitUntil } from './infrastructure/wait-until.ts'
import { supervise, type SupervisedService } from './supervise.ts'

const folder = mkdtempSync(join(tmpdir(), 'storefront-supervise-'))
const logPath = join(folder, 'cart.log')
const running: SupervisedService[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serving = `
  import { createServer } from 'node:http'
  console.log('serving')
  createServer((request, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')
`

async function cart(script: string): Promise<{ service: SupervisedService; printed: string[] }> {
  const port = await freePort()
  const file = join(folder, `${port}.mjs`)
  writeFileSync(file, script)
  const printed: string[] = []
  const service = supervise({
    name: 'cart',
    url: `http://127.0.0.1:${port}`,
    command: { file: process.execPath, args: [file], env: { PORT: String(port) } },
    logPath,
    print: (line) => printed.push(line),
    backoffMs: { least: 10, most: 50 },
    stopTimeoutMs: 300,
  })
  running.push(service)
  return { service, printed }
}

function pidOf(service: SupervisedService): number {
  const pid = service.pid()
  if (pid === undefined) throw new Error('the service does not run')
  return pid
}

it('a killed service is restarted on the same address, and one line reports that', async () => {
  const { service, printed } = await cart(serving)
  await service.start()
  await service.waitReady()
  const first = pidOf(service)
  await service.kill('SIGKILL')
  expect(isAlive(first, undefined)).toBe(false)
  await service.waitReady()
  expect(pidOf(service)).not.toBe(first)
  await waitUntil(() => printed.length > 0, { timeoutMs: 20_000 })
  expect(printed).toEqual([expect.stringMatching(/^cart ended \(SIGKILL\): restarted, ready after \d\.\d s\.$/)])
})

it('a stopped service stays stopped until it is started', async () => {
  const { service } = await cart(serving)
  await service.start()
  await service.waitReady()
  const pid = pidOf(service)
  await service.stop()
  expect(isAlive(pid, undefined)).toBe(false)
  expect(service.pid()).toBeUndefined()
  await expect(service.waitReady()).rejects.toThrow('cart is stopped')
  await service.start()
  await service.waitReady()
})

it('a service that was restarted with another program keeps it when it is killed', async () => {
  const { service } = await cart(serving)
  await service.start()
  await service.waitReady()
  const file = join(folder, 'upgraded.mjs')
  writeFileSync(file, serving.replace("end('ok')", "end('upgraded')"))
  const { port } = new URL(service.url)
  await service.restart({ file: process.execPath, args: [file], env: { PORT: port } })
  const response = async () => {
    await service.waitReady()
    return (await fetch(service.url)).text()
  }
  expect(await response()).toBe('upgraded')
  await service.kill('SIGKILL')
  expect(await response()).toBe('upgraded')
})

it('a service that ignores SIGTERM is killed', async () => {
  const { service } = await cart(`process.on('SIGTERM', () => {})\n${serving}`)
  await service.start()
  await service.waitReady()
  const pid = pidOf(service)
  await service.stop()
  expect(isAlive(pid, undefined)).toBe(false)
})

it('a service that waits for its next attempt can be stopped', async () => {
  const { service } = await cart('process.exit(1)')
  await service.start()
  await service.stop()
  expect(service.pid()).toBeUndefined()
})

it('waiting for a service that dies while starting fails with the reason in its log', async () => {
  const { service, printed } = await cart(`
    console.error('cart: configuration is not valid:')
    console.error('  NATS_URL is missing')
    process.exit(1)`)
  await service.start()
  const reason = 'cart ended while starting (cart: configuration is not valid: NATS_URL is missing)'
  await expect(service.waitReady()).rejects.toThrow(reason)
  expect(printed[0]).toBe(`${reason}: next attempt in 0.0 s.`)
})

it('the reason may also be in a structured log line', async () => {
  const fatal = { level: 'fatal', msg: 'the service cannot start', err: { message: 'port 4000 is taken' } }
  const { service } = await cart(
    `console.log('${JSON.stringify(fatal)}'); console.log('{"level":"info"}'); process.exit(1)`,
  )
  await service.start()
  await expect(service.waitReady()).rejects.toThrow('(the service cannot start: port 4000 is taken)')
})

it('a service that responds with 503 is not ready', async () => {
  const { service } = await cart(serving.replace(`response.end('ok')`, 'response.writeHead(503).end()'))
  await service.start()
  await expect(service.waitReady(300)).rejects.toThrow('cart was not ready after 0.3 s')
})

it('the log of the previous run is kept beside the new one', async () => {
  const before = await cart(serving)
  await before.service.start()
  await before.service.waitReady()
  await before.service.stop()
  await cart(serving)
  expect(readFileSync(`${logPath}.old`, 'utf8')).toBe('serving\n')
})

it('a large log is emptied while its service runs, and keeps its last lines beside it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { service } = await cart(serving.replace('(request, response) =>', '$& console.log(request.url) ||'))
    await service.start()
    await service.waitReady()
    appendFileSync(logPath, `${'x'.repeat(10_000_000)}\nlast line\n`)
    vi.advanceTimersByTime(60_000)
    expect(statSync(logPath).size).toBe(0)
    expect(statSync(`${logPath}.old`).size).toBe(10_000_000)
    expect(readFileSync(`${logPath}.old`, 'utf8').slice(-12)).toBe('x\nlast line\n')
    await fetch(`${service.url}/next`)
    expect(readFileSync(logPath, 'utf8')).toBe('/next\n')
  } finally {
    vi.useRealTimers()
  }
})
