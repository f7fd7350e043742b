import autocannon from 'autocannon'
import type { Measurement } from './measure.ts'

interface LoadOptions {
  connections: number
  seconds: number
  headers?: Record<string, string>
}

/** Requests these paths in turn over keep-alive connections, as fast as the responses come. */
export function loadPaths(url: string, paths: readonly string[], options: LoadOptions): Promise<Measurement> {
  return load(
    url,
    paths.map((path) => ({ method: 'GET', path })),
    options,
  )
}

/** The same with a path made for each request: a list of paths would be walked by every connection in step. */
export function loadNextPaths(url: string, nextPath: () => string, options: LoadOptions): Promise<Measurement> {
  return load(url, [{ method: 'GET', setupRequest: (request) => ({ ...request, path: nextPath() }) }], options)
}

async function load(
  url: string,
  requests: autocannon.Request[],
  { connections, seconds, headers = {} }: LoadOptions,
): Promise<Measurement> {
  const result = await autocannon({ url, connections, duration: seconds, headers, requests })
  return {
    // autocannon's own average counts responses of every status.
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    // The errors include the timeouts.
    failures: result.non2xx + result.errors,
  }
}
