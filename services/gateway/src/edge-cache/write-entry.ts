import type { IncomingMessage, ServerResponse } from 'node:http'
import { contextHeaders } from '../front/send-error.ts'
import type { CacheOutcome, RequestContext } from '../front/request-context.ts'
import { acceptedEncoding } from '../encoding/accepted-encoding.ts'
import type { BodyMemory } from './body-memory.ts'
import { compressOnce } from './compress-once.ts'
import { alreadyHas, notModifiedHead, type Entry, type Representation } from './entry.ts'
import type { Store } from './store.ts'

/** Responds from an entry, in the client's preferred encoding. Everything but the first compression is synchronous. */
export function writeEntry(
  entry: Entry,
  context: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
  { outcome, nowMs, store, memory }: { outcome: CacheOutcome; nowMs: number; store: Store; memory: BodyMemory },
): void {
  context.cache = outcome
  const age = String(Math.max(0, Math.floor((nowMs - entry.storedAtMs) / 1000)))
  const encoding = entry.compressible ? acceptedEncoding(request.headers['accept-encoding']) : 'identity'

  function write(representation: Representation): void {
    // A request with a malformed body has its response already, which may wait behind others on its connection.
    if (response.destroyed || response.headersSent) return
    response.writeHead(200, [...representation.head, 'age', age, ...contextHeaders(context)])
    if (context.method === 'HEAD') return void response.end()
    response.end(representation.body)
    memory.holdUntilSent(representation.body, response)
  }

  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch !== undefined && alreadyHas(entry, ifNoneMatch, encoding) && !response.headersSent) {
    response.writeHead(304, [...notModifiedHead(entry, encoding), 'age', age, ...contextHeaders(context)])
    response.end()
    return
  }
  const ready = encoding === 'identity' ? entry.identity : entry.compressed[encoding]
  if (ready) write(ready)
  else if (encoding !== 'identity') {
    // Whatever fails there must end this response, and not the process.
    compressOnce(entry, encoding, () => store.grown(entry))
      .then(write)
      .catch(() => response.destroy())
  }
}
