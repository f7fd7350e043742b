import type { components } from './openapi.ts'

/** The error codes of the shop, which are listed with their meaning in docs/api.md. */
export type ShopCode = components['schemas']['Error']['code']

/** Errors that the client itself detects. */
export type ClientCode = 'network_error' | 'timeout' | 'bad_response'

/** The operation of a request: the method, and the path as the API describes it, such as `/carts/{id}`. */
export interface Operation {
  method: string
  path: string
}

interface Failure {
  code: string
  message: string
  status?: number | undefined
  requestId?: string | undefined
  detail?: unknown
  cause?: unknown
}

/**
 * A request that failed: the shop rejected it, or no response came. Branch on `code`, show `message`, quote
 * `requestId`.
 */
export class StorefrontError extends Error {
  override readonly name = 'StorefrontError'
  /**
   * One of the shop's codes, or one of the client's own. A later version of the shop may send one that is not listed.
   */
  readonly code: ShopCode | ClientCode | (string & {})
  /** HTTP status of the response; undefined when there was none. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** For the integrator; its content depends on the code. */
  readonly detail: unknown
  readonly operation: Operation

  constructor(operation: Operation, { code, message, status, requestId, detail, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.detail = detail
    this.operation = operation
  }
}

export interface ContractIssue {
  /** Path in the response, such as `items.3.price.amount`; empty for the whole body. */
  path: string
  message: string
}

/** A successful response whose body does not match the API description. For developers: do not show it to shoppers. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
  readonly code = 'contract_violation'
  readonly operation: Operation
  readonly issues: readonly ContractIssue[]
  readonly requestId: string | undefined

  constructor(operation: Operation, issues: readonly ContractIssue[], requestId: string | undefined) {
    const details = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
    super(`${operation.method} ${operation.path} returned a body that does not match the API description. ${details}`)
    this.operation = operation
    this.issues = issues
    this.requestId = requestId
  }
}

/**
 * Reads the error of a response.
 * @param body the text of an unsuccessful response
 * @returns an error with the code `bad_response` where the text is not an error of the shop, such as the error page of
 * a proxy
 */
export function storefrontErrorFrom(operation: Operation, response: Response, body: string): StorefrontError {
  const problem = parsed(body)
  const requestId = requestIdOf(response)
  if (!isErrorBody(problem)) {
    const message = 'The shop could not be reached. Please try again.'
    return new StorefrontError(operation, { code: 'bad_response', message, status: response.status, requestId })
  }
  return new StorefrontError(operation, { requestId, ...problem, status: response.status })
}

export function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined
}

/** Without zod: this also runs where responses are not validated, and zod is not loaded for it. */
function isErrorBody(value: unknown): value is { code: string; message: string; requestId?: string; detail?: unknown } {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return false
  if ('requestId' in value && typeof value.requestId !== 'string') return false
  return typeof value.code === 'string' && typeof value.message === 'string'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
