import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf, StartError } from './start-error.ts'

interface SeedOptions {
  /** The gateway, with its base path. */
  url: string
  adminEmail: string
  adminPassword: string
  mediaDir: string
  print: (line: string) => void
}

const Storefront = z.object({ version: z.int().default(0) })
const Login = z.object({ token: z.string() })
const ErrorBody = z.object({ message: z.string(), code: z.string().optional(), detail: z.unknown().optional() })
const Imported = z.object({ counts: z.record(z.string(), z.record(z.string(), z.number())) })

const requestTimeoutMs = 10_000
const importTimeoutMs = 300_000
/** Services that have just started on a busy machine may answer their first requests with 503. */
const unavailableForMs = 60_000
const pauseMs = 250

/** Loads the demo shop unless the shop is configured already. @returns whether it was loaded */
export async function seed({ url, adminEmail, adminPassword, mediaDir, print }: SeedOptions): Promise<boolean> {
  if (await isConfigured(url)) return false
  // Loaded here, because only a first start needs it.
  const { demoPictures, demoShop } = await import('@storefront/demo')
  for (const { path, svg } of demoPictures()) writePicture(mediaDir, path, svg)
  print('Loading the demo shop.')
  const token = await signIn(url, adminEmail, adminPassword)
  const reply = await send(`${url}/admin/import`, importTimeoutMs, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ mode: 'merge', ...demoShop({ now: new Date() }) }),
  })
  if (!reply.ok) throw new StartError(`The demo shop could not be loaded: ${await errorOf(reply)}.`)
  const { counts } = Imported.parse(await reply.json())
  const created = Object.entries(counts).flatMap(([kind, count]) =>
    count['created'] ? [`${count['created']} ${kind}`] : [],
  )
  print(`Loaded the demo shop: ${created.join(', ')}.`)
  return true
}

async function isConfigured(url: string): Promise<boolean> {
  const reply = await send(`${url}/storefront`, requestTimeoutMs)
  if (reply.status === 404) return false
  if (!reply.ok) throw new StartError(`The shop responds with an error (${await errorOf(reply)}): see its logs.`)
  return Storefront.parse(await reply.json()).version > 0
}

async function signIn(url: string, email: string, password: string): Promise<string> {
  const reply = await send(`${url}/admin/auth/login`, requestTimeoutMs, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (reply.ok) return Login.parse(await reply.json()).token
  throw new StartError(
    `The demo shop could not be loaded, the sign-in of ${email} was rejected (${await errorOf(reply)}): ` +
      'set ADMIN_EMAIL and ADMIN_PASSWORD to those of the first start.',
  )
}

async function send(url: string, timeoutMs: number, request: RequestInit = {}): Promise<Response> {
  const endMs = performance.now() + unavailableForMs
  for (;;) {
    const response = await sendOnce(url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
    if (response.status !== 503 || performance.now() > endMs) return response
    await sleep(pauseMs)
  }
}

async function sendOnce(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    throw new StartError(`${url} does not respond (${messageOf(cause)}): see the gateway's log.`)
  }
}

async function errorOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { message, detail } = ErrorBody.parse(JSON.parse(text))
    return `${response.status} ${message}${detail === undefined ? '' : ` ${JSON.stringify(detail).slice(0, 500)}`}`
  } catch {
    return `${response.status} ${text.slice(0, 200)}`
  }
}

function writePicture(mediaDir: string, path: string, svg: string): void {
  const file = resolve(join(mediaDir, path))
  if (!file.startsWith(resolve(mediaDir) + sep)) throw new Error(`${path} is outside the media folder`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, svg, { mode: 0o600 })
}
