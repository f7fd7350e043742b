import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf, StartError } from '../start-error.ts'
import type { TransferArguments } from './transfer-arguments.ts'

const REQUEST_TIMEOUT_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** Together with the pauses between them: about two minutes. */
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

/** Reasons for which no request can have arrived anywhere. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']

/** The shop did not get the request, or its answer was lost on the way: another attempt may help. */
export class ConnectionLost extends StartError {}

/** The shop as an admin reaches it. */
export interface ShopApi {
  /** @throws StartError with the shop's message when it rejects, ConnectionLost when it cannot be reached */
  request(
    path: string,
    request?: Omit<RequestInit, 'headers'> & { duplex?: 'half'; headers?: Record<string, string> },
  ): Promise<Response>
}

/** A shop that was reached once may be starting again; one that never was is more likely somewhere else. */
interface Contact {
  isMade: boolean
}

/** Signs in, unless there is a key. @throws StartError at once when nothing listens at the address */
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
    throw new StartError('Give --key or STOREFRONT_KEY, or --email and --password of an admin.')
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
  const words = await wordsOf(response)
  if (response.status >= 500 || response.status === 429) throw new ConnectionLost(`${url}: ${words}`)
  throw new StartError(words)
}

function nothingListens(url: string, code: string): StartError {
  const { origin } = new URL(url)
  return new StartError(
    `No shop listens at ${origin} (${code}). Start it with npm start, or say where it is: --url, STOREFRONT_API_URL or PORT.`,
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

async function wordsOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  try {
    const { message, detail } = ErrorBody.parse(JSON.parse(text))
    return `${response.status} ${message}${issueLines(detail?.issues ?? [], detail?.total)}`
  } catch {
    return `${response.status} ${text.slice(0, 200)}`
  }
}

/** As many as the shop names. */
const SHOWN = 100

export function issueLines(issues: readonly { path: string; message: string }[], total = issues.length): string {
  const shown = issues.slice(0, SHOWN).map(({ path, message }) => `\n  ${path}: ${message}`)
  return `${shown.join('')}${total > shown.length ? `\n  … ${total - shown.length} more` : ''}`
}

/** Does something again, with growing pauses, as long as only the connection was at fault. */
export async function persistently<Result>(
  work: () => Promise<Result>,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConnectionLost) || attempt === ATTEMPTS || signal.aborted) throw error
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)
      print(`${error.message} Trying again in ${(pauseMs / 1000).toFixed(1)} s.`)
      await pause(pauseMs, undefined, { signal })
    }
  }
}
