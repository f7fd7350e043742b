import { ApiFailure, ContractFailure, objectAt, textAt } from './replies.ts'

export interface ConnectionOptions {
  /** The address of the shop, without a slash at its end. */
  baseUrl: string
  /** Sends and keeps cookies, as a browser does. */
  fetch: typeof fetch
  /** The origin of the page, for the addresses to which payment providers redirect. */
  origin: string
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined | null>>

/** Sends requests as the storefront does, with the sessions that it keeps. */
export function openConnection({ baseUrl, fetch }: ConnectionOptions) {
  /** The local storage: the bag and the two sessions. */
  const kept = new Map<string, string>()

  async function send(method: string, path: string, options: { query?: Query; body?: unknown } = {}): Promise<unknown> {
    const token = kept.get(path.startsWith('/admin/') ? 'admin' : 'session')
    const isForm = options.body instanceof FormData
    const response = await fetch(addressOf(baseUrl + path, options.query), {
      method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        ...(options.body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        // Newer versions send these headers, and the preflight must allow them.
        'x-loom-lang': 'en',
        'x-loom-pricelist': '1',
      },
      ...(options.body === undefined
        ? {}
        : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    })
    return readReply(response, `${method} ${path}`)
  }

  return {
    kept,
    get: (path: string, query?: Query) => send('GET', path, query ? { query } : {}),
    post: (path: string, body?: unknown) => send('POST', path, { body }),
    patch: (path: string, body: unknown) => send('PATCH', path, { body }),
    remove: (path: string) => send('DELETE', path),
    keepSession: (name: string) => (reply: unknown) => {
      const { token, ...rest } = objectAt(reply, 'a sign-in')
      kept.set(name, textAt(token, 'token'))
      return rest
    },
  }
}

export type Connection = ReturnType<typeof openConnection>

function addressOf(url: string, query: Query = {}): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    if (Array.isArray(value)) {
      if (value.length > 0) address.searchParams.set(name, value.join(','))
    } else address.searchParams.set(name, String(value))
  }
  return address.href
}

async function readReply(response: Response, call: string): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  let reply: unknown
  try {
    reply = JSON.parse(text)
  } catch {
    throw new ContractFailure(call, `JSON with status ${response.status}`, text)
  }
  if (response.ok) return reply
  const { message, code, detail } = objectAt(reply, call)
  throw new ApiFailure(response.status, { message: textAt(message, 'message'), code: textAt(code, 'code'), detail })
}
