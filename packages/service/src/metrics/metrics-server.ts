import { createServer } from 'node:http'
import { once } from 'node:events'
import { collectDefaultMetrics } from 'prom-client'
import type { Log } from '../log.ts'
import { refreshReadings } from './read-at-scrape.ts'
import { registry } from './registry.ts'

/**
 * Milliseconds between two measurements of the event loop, which the values include: an idle process shows 0.05 s. With
 * the default of 10 the measurements were a fifth of what an idle service costs.
 */
const EVENT_LOOP_SAMPLE_MS = 50

/**
 * Serves `GET /metrics`, and nothing else, on a port that is not public.
 * @param options.process the value of the label `service`
 * @param options.port 0 for any free one
 * @throws Error when the port is taken
 */
export async function serveMetrics(options: { process: string; host: string; port: number; log: Log }) {
  registry.setDefaultLabels({ service: options.process })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS })
  let underWay: Promise<string> | undefined

  const scrape = async (): Promise<string> => {
    await refreshReadings()
    return registry.metrics()
  }

  const server = createServer((request, response) => {
    // Scrapers keep their connection; no request here has a body.
    request.resume()
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end()
      return
    }
    underWay ??= scrape().finally(() => (underWay = undefined))
    underWay.then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        options.log.error({ err: error }, 'the metrics cannot be served')
        response.writeHead(500).end()
      },
    )
  })
  server.listen({ host: options.host, port: options.port })
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the metrics server has no address')
  options.log.info({ host: options.host, port: address.port }, 'metrics are served')
  return {
    port: address.port,
    async stop() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}
