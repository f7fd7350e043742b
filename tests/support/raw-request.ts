import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'

export interface RawRequest {
  method: string
  /** The path, which is sent unchanged. */
  path: string
  /** Several values are sent as several headers. */
  headers: Record<string, string | string[]>
  body?: string | Buffer | undefined
  /** A wrong value of `content-length`. Such a request has a connection of its own, on which nothing follows. */
  claimed?: string | undefined
}

export interface RawResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const TIMEOUT_MS = 20_000

/** Sends requests that no correct client would send: `fetch` would normalize a path first. */
export function openRawClient(url: string, connections: number) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, headers, body, claimed }: RawRequest): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      let responded = false
      const options = { hostname, port, method, path, timeout: TIMEOUT_MS, headers }
      const own = claimed === undefined ? agent : false
      const request = httpRequest({ ...options, agent: own }, (response) => {
        responded = true
        const { statusCode: status = 0, headers: received } = response
        text(response).then((body) => resolve({ status, headers: received, text: body }), reject)
      })
      request.on('timeout', () => request.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)))
      request.on('error', (error) => (responded ? undefined : reject(error)))
      if (body !== undefined) request.setHeader('content-length', claimed ?? Buffer.byteLength(body))
      if (claimed !== undefined) {
        request.setHeader('connection', 'keep-alive')
        // Closes the sending side, and still receives the response.
        request.on('finish', () => request.socket?.end())
      }
      request.end(body)
    })
  return {
    send,
    close: () => agent.destroy(),
  }
}
export type RawClient = ReturnType<typeof openRawClient>
