import autocannon from 'autocannon'
import type { Measurement } from './measure.ts'

/** Asks for these paths in turn over keep-alive connections, as fast as the answers come. */
export async function loadPaths(
  url: string,
  paths: readonly string[],
  options: { connections: number; seconds: number; headers?: Record<string, string> },
): Promise<Measurement> {
  const result = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    headers: options.headers ?? {},
    requests: paths.map((path) => ({ method: 'GET', path })),
  })
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  }
}
