import type { components } from './openapi.ts'

/** The codes of the shop, which are listed with their meaning in docs/api.md. */
export type ShopCode = components['schemas']['Error']['code']

/** Faults that the client finds by itself (specification, "Codes the client generates"). */
export type ClientCode = 'network_error' | 'timeout' | 'bad_response'

/** Where a request went: the method, and the path as the API describes it, such as `/carts/{id}`. */
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

/** A request that failed: the shop refused it, or no answer came. Branch on `code`, show `message`, quote `requestId`. */
export class StorefrontError extends Error {
  override readonly name = 'StorefrontError'
  /** One of the shop's codes, or one of the client's own. A later version of the shop may send one that is not listed. */
  readonly code: ShopCode | ClientCode | (string & {})
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** For the integrator; what it holds depends on the code. */
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
  /** Where in the answer, such as `items.3.price.amount`; empty for the whole of it. */
  path: string
  message: string
}

/** A success whose body is not what the API promises. For developers: nothing of it is for a shopper's eyes. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
  readonly code = 'contract_violation'
  readonly operation: Operation
  readonly issues: readonly ContractIssue[]
  readonly requestId: string | undefined

  constructor(operation: Operation, issues: readonly ContractIssue[], requestId: string | undefined) {
    const told = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
    super(`${operation.method} ${operation.path} answered another shape than the API promises. ${told}`)
    this.operation = operation
    this.issues = issues
    this.requestId = requestId
  }
}

/**
 * Reads what the shop says of a refusal.
 * @param body the text of an answer that is no success
 * @returns with the code `bad_response` where the text is none of the shop's, such as the error page of a proxy
 */
export function refusalFrom(operation: Operation, response: Response, body: string): StorefrontError {
  const said = parsed(body)
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (!isErrorBody(said)) {
    const message = 'The shop could not be reached. Please try again.'
    return new StorefrontError(operation, { code: 'bad_response', message, status: response.status, requestId })
  }
  return new StorefrontError(operation, { requestId, ...said, status: response.status })
}

/** Without zod: this also runs where answers are not checked, and zod is not loaded for it. */
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
