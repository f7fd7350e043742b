import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf, StartError } from '../start-error.ts'
import type { TransferArguments } from './transfer-arguments.ts'

const REQUEST_TIMEOUT_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** With the pauses between them, these attempts take about two minutes. */
const ATTEMPTS = 12

const Login = z.object({ token: z.string() })
const ErrorBody = z.object({
  message: z.string(),
  detail: z
    .object({
      issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      total: z.number().optional(),
    })
    .optional()
    .catch(undefined),
})

/** Errors after which the request cannot have arrived. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']

/** The shop did not receive the request, or its response was lost, so the request may be retried. */
export class ConnectionLost extends StartError {}

/** The API of the shop for an admin. */
export interface ShopApi {
  /**
   * @throws StartError with the shop's message when it rejects the request, ConnectionLost when it cannot be reached
   */
  request(
    path: string,
    request?: Omit<RequestInit, 'headers'> & { duplex?: 'half'; headers?: Record<string, string> },
  ): Promise<Response>
}

/** Whether the shop was reached before. If so, it may be restarting; otherwise its address is probably wrong. */
interface Contact {
  isMade: boolean
}

/** Signs in, unless there is a key. @throws StartError without retries when no server listens at the address */
export async function openShopApi({ url, key, email, password }: TransferArguments): Promise<ShopApi> {
  const contact = { isMade: false }
  const token = key ?? (await signIn(url, { email, password, contact }))
  return {
    request: (path, request = {}) =>
      send(`${url}${path}`, { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }, contact),
  }
}

async function signIn(
  url: string,
  { email, password, contact }: { email: string; password: string | undefined; contact: Contact },
): Promise<string> {
  if (password === undefined) {
    throw new StartError('Set --key or SHOP_API_KEY, or --email and --password of an admin.')
  }
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }
  return Login.parse(await (await send(`${url}/admin/auth/login`, request, contact)).json()).token
}

async function send(url: string, request: RequestInit, contact: Contact): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, request)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const code = codeOf(cause)
    if (!contact.isMade && UNREACHABLE.includes(code)) throw nothingListens(url, code)
    throw new ConnectionLost(`${url} does not reply (${messageOf(cause) || code}).`)
  }
  contact.isMade = true
  if (response.ok) return response
  const text = await messageOfResponse(response)
  if (response.status >= 500 || response.status === 429) throw new ConnectionLost(`${url}: ${text}`)
  throw new StartError(text)
}

function nothingListens(url: string, code: string): StartError {
  const { origin } = new URL(url)
  return new StartError(
    `No shop listens at ${origin} (${code}). Start it with npm start, or set its address with --url, SHOP_URL or PORT.`,
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

async function messageOfResponse(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  try {
    const { message, detail } = ErrorBody.parse(JSON.parse(text))
    return `${response.status} ${message}${issueLines(detail?.issues ?? [], detail?.total)}`
  } catch {
    return `${response.status} ${text.slice(0, 200)}`
  }
}

/** The shop lists at most this many. */
const SHOWN = 100

export function issueLines(issues: readonly { path: string; message: string }[], total = issues.length): string {
  const shown = issues.slice(0, SHOWN).map(({ path, message }) => `\n  ${path}: ${message}`)
  return `${shown.join('')}${total > shown.length ? `\n  … ${total - shown.length} more` : ''}`
}

/** Runs the work, and retries it with growing pauses while it fails with ConnectionLost. */
export async function retryConnection<Result>(
  work: () => Promise<Result>,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConnectionLost) || attempt === ATTEMPTS || signal.aborted) throw error
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)
      print(`${error.message} Next attempt in ${(pauseMs / 1000).toFixed(1)} s.`)
      await pause(pauseMs, undefined, { signal })
    }
  }
}
