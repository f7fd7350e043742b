import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { listen } from '@storefront/tools/listen'
import { amount } from '@storefront/tools/testing'

/** Several checks in the time that a gateway that stops still serves; each costs the gateway a request. */
const CHECK_MS = amount({ quick: 500, long: 250 })
/** A gateway whose reply takes longer is not ready: a check must end well before a gateway that stops is gone. */
const CHECK_TIMEOUT_MS = 2000

export interface Balancer {
  url: string
  /** Whether it sends requests to every gateway. */
  hasAll: () => boolean
  close: () => Promise<void>
}

/**
 * A load balancer in front of several gateways: it sends them requests in turn, on persistent connections, and checks
 * the readiness of each. It never retries a request, so a request that a gateway loses is lost.
 */
export async function openBalancer(gateways: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const ready = new Set(gateways)
  let turn = 0

  const checks = gateways.map((gateway) => {
    let checking = false
    return setInterval(() => {
      if (checking) return
      checking = true
      fetch(`${gateway}/readyz/gateway`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
        .then(async (response) => {
          await response.arrayBuffer()
          if (response.ok) ready.add(gateway)
          else ready.delete(gateway)
        })
        .catch(() => ready.delete(gateway))
        .finally(() => (checking = false))
    }, CHECK_MS)
  })

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request)
    const { connection: _ours, 'transfer-encoding': _coding, ...headers } = request.headers
    const among = ready.size > 0 ? [...ready] : gateways
    const reply = await agent.request({
      origin: among[turn++ % among.length] ?? '',
      path: request.url ?? '/',
      method: request.method ?? 'GET',
      headers,
      body: sent.length > 0 ? sent : null,
    })
    const body = Buffer.from(await reply.body.arrayBuffer())
    const { connection: _theirs, 'keep-alive': _keep, 'transfer-encoding': _chunked, ...passed } = reply.headers
    response.writeHead(reply.statusCode, { ...passed, ...(body.length > 0 && { 'content-length': body.length }) })
    response.end(body)
  }

  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : error
      response.writeHead(502, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 'lost by the gateway', message: String(code) }))
    })
  })
  const { url, close } = await listen(server)
  return {
    url,
    hasAll: () => ready.size === gateways.length,
    async close() {
      for (const check of checks) clearInterval(check)
      await close()
      await agent.destroy()
    },
  }
}
