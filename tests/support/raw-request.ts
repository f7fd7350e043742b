import { Agent, request as httpRequest } from 'node:http'

export interface RawRequest {
  method: string
  /** Sent as it is, whatever it holds. */
  path: string
  /** Several values go out as so many headers. */
  headers: Record<string, string | string[]>
  body?: string | Buffer | undefined
  /** What `content-length` says when it is not the truth. Goes over a connection of its own, on which nothing follows. */
  claimed?: string | undefined
}

export interface RawResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const TIMEOUT_MS = 20_000

/** Requests that no well-behaved client would send: `fetch` tidies up an address before it goes out. */
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
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
      request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
      request.on('error', (error) => (responded ? undefined : reject(error)))
      if (body !== undefined) request.setHeader('content-length', claimed ?? Buffer.byteLength(body))
      if (claimed !== undefined) {
        request.setHeader('connection', 'keep-alive')
        // Says that nothing more comes, and goes on listening.
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
