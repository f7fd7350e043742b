import { z } from 'zod'
import type { Caller } from './caller.ts'

/** The request to an operation. */
export interface Call {
  path?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Sent as JSON, unless `type` names another content type. FormData is sent as a form. */
  body?: unknown
  type?: string
  /** Selects the part of the reply that the example shows. */
  show?: (reply: unknown) => unknown
  /** Does not wait until the shop is idle: the call is about work in progress. */
  atOnce?: true
}

/** The example of one operation: its request, and the replies of the shop. */
export interface Recording {
  operation: string
  caller: Caller['kind']
  path: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  /** By content type. */
  bodies: Record<string, unknown>
  /** By status, then by content type. */
  replies: Record<string, Record<string, unknown>>
}

interface Reply {
  /** Name of the operation. */
  name: string
  status: number
  type: string
  body: unknown
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'
const Description = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
})

/** Calls the shop through its gateway, and keeps the first success of every operation and content type. */
export class Recorder {
  readonly #url: string
  readonly #names: ReadonlyMap<string, string>
  readonly #untilIdle: () => Promise<void>
  readonly #recordings = new Map<string, Recording>()

  private constructor(url: string, names: ReadonlyMap<string, string>, untilIdle: () => Promise<void>) {
    this.#url = url
    this.#names = names
    this.#untilIdle = untilIdle
  }

  /**
   * @param url of the gateway, without a trailing slash
   * @param untilIdle waits until the shop has done what follows from the calls so far, which replies may show
   */
  static async open(url: string, untilIdle: () => Promise<void>): Promise<Recorder> {
    const { paths } = Description.parse(await (await fetch(`${url}/openapi.json`)).json())
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]): [string, string] => [
        `${method.toUpperCase()} ${path}`,
        operationId,
      ]),
    )
    return new Recorder(url, new Map(operations), untilIdle)
  }

  /** Recordings by the name of their operation. */
  get recordings(): ReadonlyMap<string, Recording> {
    return this.#recordings
  }

  /** Operations without a successful call. */
  get missing(): string[] {
    return [...this.#names].flatMap(([operation, name]) => (this.#recordings.has(name) ? [] : [operation]))
  }

  /**
   * Calls an operation once the shop is idle, and records its first success.
   * @param operation such as `GET /carts/{id}`
   * @returns the body of the reply: parsed when it is JSON, else its text
   * @throws when the shop does not know the operation, or replies with an error
   */
  async call(caller: Caller, operation: string, call: Call = {}): Promise<unknown> {
    if (call.atOnce !== true) await this.#untilIdle()
    const { name, status, type, body } = await this.#send(caller, operation, call)
    const recording = this.#recordings.get(name) ?? begun(operation, caller, call)
    const sent = typeOf(call)
    if (sent !== undefined) recording.bodies[sent] ??= shownBody(sent, call.body)
    if (isText(type)) (recording.replies[status] ??= {})[type] ??= call.show ? call.show(body) : body
    this.#recordings.set(name, recording)
    return body
  }

  /** Calls an operation without recording it, to prepare or await something. */
  async peek(caller: Caller, operation: string, call: Call = {}): Promise<unknown> {
    return (await this.#send(caller, operation, call)).body
  }

  async #send(caller: Caller, operation: string, call: Call): Promise<Reply> {
    const name = this.#names.get(operation)
    if (name === undefined) throw new Error(`${operation} is not an operation of the shop.`)
    const [method = '', pattern = ''] = operation.split(' ')
    const path = pattern.replaceAll(/\{([^}]+)\}/g, (_, name: string) => addressPart(name, call.path?.[name]))
    const query = new URLSearchParams(call.query)
    const type = typeOf(call)
    const response = await caller.fetch(`${this.#url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`, {
      method,
      headers: { ...call.headers, ...(type === undefined || type === FORM_TYPE ? {} : { 'content-type': type }) },
      ...(call.body === undefined ? {} : { body: wireBody(call.body) }),
    })
    const [replyType = ''] = (response.headers.get('content-type') ?? '').split(';')
    const text = await response.text()
    if (!response.ok) throw new Error(`${operation} failed with ${response.status}: ${text}`)
    return { name, status: response.status, type: replyType, body: replyType === JSON_TYPE ? JSON.parse(text) : text }
  }
}

function begun(operation: string, caller: Caller, { path = {}, query = {}, headers = {} }: Call): Recording {
  return { operation, caller: caller.kind, path, query, headers, bodies: {}, replies: {} }
}

/** The path of a picture has several segments in one parameter. */
function addressPart(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`The path needs ${name}.`)
  return name === '*' ? value : encodeURIComponent(value)
}

function typeOf({ body, type }: Call): string | undefined {
  if (body === undefined) return undefined
  return body instanceof FormData ? FORM_TYPE : (type ?? JSON_TYPE)
}

function wireBody(body: unknown): string | FormData {
  return typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)
}

/** Shows files by their names, and JSON that was sent as a signed text as JSON. */
function shownBody(type: string, body: unknown): unknown {
  if (type === JSON_TYPE && typeof body === 'string') return JSON.parse(body)
  if (!(body instanceof FormData)) return body
  return Object.fromEntries([...body].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}

function isText(type: string): boolean {
  return type === JSON_TYPE || type === 'application/x-ndjson' || type.startsWith('text/')
}
