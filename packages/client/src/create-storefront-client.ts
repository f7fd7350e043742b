import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type Middleware,
  type ParseAsResponse,
} from 'openapi-fetch'
import type { ResponseObjectMap, SuccessResponse } from 'openapi-typescript-helpers'
import { KEYED_OPERATIONS, randomIdempotencyKey } from './idempotency-key.ts'
import type { paths } from './openapi.ts'
import { refusalFrom, StorefrontError, type Operation } from './storefront-error.ts'
import { createTransport, NoAnswer } from './transport.ts'

export interface StorefrontClientOptions {
  /** Where the shop is, such as `https://api.example.com/v1`. */
  baseUrl: string
  /** A publishable key (`pk_…`), sent while nobody is signed in. Never a secret one: everybody can read it. */
  apiToken?: string
  /** A customer's token, kept from an earlier visit. On a server also an admin's, or a secret key. */
  token?: string
  /** Is called when the shop refuses the token that was sent, and it is still the one. */
  onUnauthenticated?: (error: StorefrontError) => void
  /** Milliseconds that one try may take; 10,000 unless told otherwise. A single request may name its own. */
  timeoutMs?: number
  /** Tries in all, of what is safe to repeat; 3 unless told otherwise. */
  maxTries?: number
  /** Milliseconds after which no further try begins; 30,000 unless told otherwise. */
  deadlineMs?: number
  /** Whether answers are compared with what the API promises; `always` unless told otherwise. With `off`, zod is not loaded. */
  validate?: 'always' | 'off'
  /** Sends requests in place of the platform's fetch. */
  fetch?: (request: Request) => Promise<Response>
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Http = Client<paths>

interface OwnOptions {
  /** Milliseconds that one try of this request may take. */
  timeoutMs?: number
}
type Arguments<Options> =
  Partial<Options> extends Options ? [options?: Options & OwnOptions] : [options: Options & OwnOptions]

/** Not openapi-fetch's own type: its `Readable` turns pairs into lists of any length, and a reply no longer fits its schema. */
type Reply<Described, Options> =
  ResponseObjectMap<Described> extends infer Responses extends Record<string | number, unknown>
    ? Exclude<ParseAsResponse<SuccessResponse<Responses>, Options>, undefined>
    : never

type Call<Name extends Method> = <
  Path extends ClientPathsWithMethod<Http, Name>,
  Options extends MaybeOptionalInit<paths[Path], Name>,
>(
  path: Path,
  ...options: Arguments<Options>
) => Promise<Reply<paths[Path][Name], Options>>

/** Each method answers with the body of a success, and otherwise throws a StorefrontError or a ContractViolation. */
export interface StorefrontClient {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** The same with the whole answer, `{ data, response }`, for its headers. */
  http: Http
  /** Signs every request from here on; undefined: nobody is signed in. */
  setToken: (token: string | undefined) => void
}

/**
 * Makes a client of a shop, for browsers and for Node 20 or newer.
 * @returns a client whose paths, parameters, bodies and answers have the types of the API's description
 */
export function createStorefrontClient(options: StorefrontClientOptions): StorefrontClient {
  const { timeoutMs = 10_000, maxTries = 3, deadlineMs = 30_000, validate = 'always' } = options
  let { token } = options
  const http = createClient<paths>({
    baseUrl: options.baseUrl,
    // The cookie of the browser that placed an order opens it again.
    credentials: 'include',
    fetch: createTransport({ fetch: options.fetch ?? ((request) => fetch(request)), timeoutMs, maxTries, deadlineMs }),
  })

  const sign: Middleware = {
    onRequest({ request, schemaPath }) {
      const { headers } = request
      const bearer = token ?? options.apiToken
      if (bearer !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${bearer}`)
      if (KEYED_OPERATIONS.has(`${request.method} ${schemaPath}`) && !headers.has('idempotency-key'))
        headers.set('idempotency-key', randomIdempotencyKey())
    },
  }

  const judge: Middleware = {
    async onResponse({ request, response, schemaPath, options: { parseAs } }) {
      const operation = { method: request.method, path: schemaPath }
      // What If-None-Match was answered with is what the caller asked to hear.
      if (response.status === 304) return
      if (!response.ok) {
        const refusal = refusalFrom(operation, response, await response.text())
        // The token that was sent, and not one that has come since: who has just signed in stays so.
        const isRefused = token !== undefined && request.headers.get('authorization') === `Bearer ${token}`
        if (refusal.code === 'unauthenticated' && isRefused) options.onUnauthenticated?.(refusal)
        throw refusal
      }
      if (response.status === 204 || parseAs !== 'json') return
      const body = await readJson(operation, response.clone())
      if (validate === 'off') return
      const { checkAnswer } = await import('./check-answer.ts')
      checkAnswer(operation, body, requestIdOf(response))
    },
    onError: ({ request, schemaPath, error }) =>
      error instanceof NoAnswer ? noAnswer({ method: request.method, path: schemaPath }, error) : undefined,
  }
  http.use(sign, judge)

  return {
    get: bodyOf(http, 'get'),
    post: bodyOf(http, 'post'),
    put: bodyOf(http, 'put'),
    patch: bodyOf(http, 'patch'),
    delete: bodyOf(http, 'delete'),
    http,
    setToken(next) {
      token = next
    },
  }
}

function bodyOf<Name extends Method>(http: Http, name: Name): Call<Name>
// Whoever calls is held to the types of the path; in here it is any path, and `never` fits wherever one is asked for.
function bodyOf(http: Http, name: Method) {
  return async (path: never, init: never): Promise<unknown> => (await http.request(name, path, init)).data
}

/** @throws StorefrontError `bad_response` */
async function readJson(operation: Operation, response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    const message = 'The shop gave an answer that cannot be read. Please try again.'
    const { status } = response
    const requestId = requestIdOf(response)
    throw new StorefrontError(operation, { code: 'bad_response', message, status, requestId, cause })
  }
}

const NO_ANSWER = {
  timeout: 'The shop took too long to answer. Please try again.',
  network_error: 'The shop could not be reached. Please check your connection and try again.',
}

function noAnswer(operation: Operation, { code, cause }: NoAnswer): StorefrontError {
  return new StorefrontError(operation, { code, message: NO_ANSWER[code], cause })
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined
}
