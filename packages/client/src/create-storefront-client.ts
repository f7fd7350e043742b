import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type Middleware,
  type ParseAsResponse,
} from 'openapi-fetch'
import type { ResponseObjectMap, SuccessResponse } from 'openapi-typescript-helpers'
import type { checkResponse } from './check-response.ts'
import { KEYED_OPERATIONS, randomIdempotencyKey } from './idempotency-key.ts'
import type { paths } from './openapi.ts'
import type { Method } from './operations.ts'
import { requestIdOf, storefrontErrorFrom, StorefrontError, type Operation } from './storefront-error.ts'
import { createTransport, NoResponse } from './transport.ts'

export interface StorefrontClientOptions {
  /** Address of the API, such as `https://api.example.com/v1`. */
  baseUrl: string
  /** A publishable key (`pk_…`), sent while no customer is signed in. Never a secret key: everyone can read it. */
  apiToken?: string
  /** A customer's token, kept from an earlier visit. On a server also an admin's token, or a secret key. */
  token?: string
  /** Called when the shop rejects the token that was sent, if it is still the current one. */
  onUnauthenticated?: (error: StorefrontError) => void
  /** Milliseconds that one attempt may take, 10,000 by default; a file only has to begin. A request may set its own. */
  timeoutMs?: number
  /** Maximum number of attempts for requests that are safe to repeat; 3 by default. */
  maxTries?: number
  /** Milliseconds after which no further attempt begins; 30,000 by default. */
  deadlineMs?: number
  /** Whether responses are compared with the API description; `always` by default. With `off`, zod is not loaded. */
  validate?: 'always' | 'off'
  /** Sends requests in place of the platform's fetch. */
  fetch?: (request: Request) => Promise<Response>
}

type Http = Client<paths>

interface OwnOptions {
  /** Milliseconds that one attempt of this request may take. */
  timeoutMs?: number
}
type Arguments<Options> =
  Partial<Options> extends Options ? [options?: Options & OwnOptions] : [options: Options & OwnOptions]

/**
 * Not openapi-fetch's own type: its `Readable` turns pairs into lists of any length, and a response no longer fits its
 * schema.
 */
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

/**
 * Each method returns the body of a successful response, and otherwise throws a StorefrontError or a ContractViolation.
 */
export interface StorefrontClient {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** The same with the whole response, `{ data, response }`, for its headers. */
  http: Http
  /** Sets the token that is sent with every request from here on; undefined for none. */
  setToken: (token: string | undefined) => void
}

/**
 * Makes a client of a shop, for browsers and for Node 20.3 or newer.
 * @returns a client whose paths, parameters, bodies and responses have the types of the API description
 */
export function createStorefrontClient(options: StorefrontClientOptions): StorefrontClient {
  const { timeoutMs = 10_000, maxTries = 3, deadlineMs = 30_000, validate = 'always' } = options
  let { token } = options
  const http = createClient<paths>({
    baseUrl: options.baseUrl,
    // The cookie of the browser that placed an order gives access to it.
    credentials: 'include',
    fetch: createTransport({ fetch: options.fetch ?? ((request) => fetch(request)), timeoutMs, maxTries, deadlineMs }),
  })

  let comparison: Promise<Comparison> | undefined

  const addHeaders: Middleware = {
    onRequest({ request, schemaPath }) {
      if (validate === 'always') comparison ??= loadComparison(timeoutMs)
      const { headers } = request
      const bearer = token ?? options.apiToken
      if (bearer !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${bearer}`)
      if (KEYED_OPERATIONS.has(`${request.method} ${schemaPath}`) && !headers.has('idempotency-key'))
        headers.set('idempotency-key', randomIdempotencyKey())
    },
  }

  const checkReply: Middleware = {
    async onResponse({ request, response, schemaPath, options: { parseAs } }) {
      const operation = { method: request.method, path: schemaPath }
      // A caller that sends If-None-Match expects a 304.
      if (response.status === 304) return
      if (!response.ok) {
        const error = storefrontErrorFrom(operation, response, await response.text())
        // A token that was set since was not rejected: a customer who has just signed in stays signed in.
        const isCurrentToken = token !== undefined && request.headers.get('authorization') === `Bearer ${token}`
        if (error.code === 'unauthenticated' && isCurrentToken) options.onUnauthenticated?.(error)
        throw error
      }
      if (response.status === 204 || parseAs !== 'json') return
      const body = await readJson(operation, response.clone())
      const compared = await comparison
      compared?.check?.(operation, body, requestIdOf(response))
    },
    onError: ({ request, schemaPath, error }) =>
      error instanceof NoResponse ? noResponse({ method: request.method, path: schemaPath }, error) : undefined,
  }
  http.use(addHeaders, checkReply)

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

interface Comparison {
  /** Undefined until it is loaded. */
  check?: typeof checkResponse
}

/**
 * Loads what compares responses. Where that fails, for example because a later deployment deleted the file, responses
 * are not compared: the shop has already carried out the request.
 * @returns resolves after `timeoutMs` at the latest; `check` may be set later
 */
function loadComparison(timeoutMs: number): Promise<Comparison> {
  const comparison: Comparison = {}
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      resolve(comparison)
    }
    const timer = setTimeout(finish, timeoutMs)
    import('./check-response.ts').then((module) => (comparison.check = module.checkResponse)).then(finish, finish)
  })
}

function bodyOf<Name extends Method>(http: Http, name: Name): Call<Name>
// Callers are checked against the types of the path; internally it is any path, and `never` fits every parameter type.
function bodyOf(http: Http, name: Method) {
  return async (path: never, init: never): Promise<unknown> => (await http.request(name, path, init)).data
}

/** @throws StorefrontError `bad_response` */
async function readJson(operation: Operation, response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    const message = 'The shop sent a response that cannot be read. Please try again.'
    const { status } = response
    const requestId = requestIdOf(response)
    throw new StorefrontError(operation, { code: 'bad_response', message, status, requestId, cause })
  }
}

const NO_RESPONSE = {
  timeout: 'The shop took too long to respond. Please try again.',
  network_error: 'The shop could not be reached. Please check your connection and try again.',
}

function noResponse(operation: Operation, { code, cause }: NoResponse): StorefrontError {
  return new StorefrontError(operation, { code, message: NO_RESPONSE[code], cause })
}
