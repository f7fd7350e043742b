import { ERROR_STATUS, isErrorCode, type ErrorCode } from '@storefront/contracts'
import { ERROR_DESCRIPTIONS } from './error-descriptions.ts'

/** The errors that the gateway may return instead of a service's response. */
const GATEWAY_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'uri_too_long',
  'rate_limited',
  'internal_error',
  'bad_gateway',
  'service_unavailable',
  'gateway_timeout',
]
const EXAMPLE_REQUEST_ID = 'req_00000000000000000000000000000001'

/** The body of every error response, for `components.schemas`. */
export const ERROR_SCHEMA = {
  type: 'object',
  description: 'Every response that is not a success.',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'One sentence for the person who uses the storefront.' },
    code: {
      type: 'string',
      enum: Object.keys(ERROR_STATUS).toSorted(),
      description: 'Programs branch on this code. A later version may add codes.',
    },
    requestId: { type: 'string', description: 'Identifies the request in the logs of the shop.' },
    detail: { description: 'For programs; its content depends on the code.' },
  },
}

/** An example body of every code, for `components.examples`. */
export const ERROR_EXAMPLES = Object.fromEntries(
  Object.entries(ERROR_DESCRIPTIONS).map(([code, { meaning, message, detail }]) => [
    code,
    { summary: code, description: meaning, value: { message, code, requestId: EXAMPLE_REQUEST_ID, detail } },
  ]),
)

/** Collects the error responses of operations; responses with the same codes share one component. */
export class ErrorResponses {
  readonly components: Record<string, unknown> = {}

  /**
   * @param declared the codes that the service of an operation may return
   * @returns the responses of the operation by status, as references
   */
  of(declared: readonly unknown[]): Record<string, unknown> {
    const codes = new Set([...declared.map(String).filter(isErrorCode), ...GATEWAY_ERRORS])
    const byStatus = Map.groupBy([...codes].toSorted(), (code) => ERROR_STATUS[code])
    return Object.fromEntries([...byStatus].map(([status, some]) => [status, this.#reference(status, some)]))
  }

  #reference(status: number, codes: readonly ErrorCode[]): { $ref: string } {
    const name = `${status}.${codes.join('.')}`
    this.components[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${ERROR_DESCRIPTIONS[code].meaning}`).join('\n\n'),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    }
    return { $ref: `#/components/responses/${name}` }
  }
}
