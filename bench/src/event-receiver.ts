import { createServer } from 'node:http'
import { listen } from '@storefront/tools/listen'
import { Arrivals } from './arrivals.ts'
import { ReceiverRequest } from './event-messages.ts'
import { replyToRequests } from './helper-process.ts'
import { monotonicMs } from './monotonic.ts'

const SLUG = /"slug":"([^"]*)-(\d+)"/
const runs = new Map<string, Arrivals>()
const hanging = new Map<string, (() => void)[]>()

/** The receiver of webhooks: it accepts every one at once, unless a path is set to hang, and records when each came. */
const server = createServer((request, response) => {
  const path = request.url ?? ''
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const accept = () => {
      note(path, Buffer.concat(parts).toString())
      response.writeHead(200, { 'content-length': 0 }).end()
    }
    const held = hanging.get(path)
    if (held) held.push(accept)
    else accept()
  })
})
// A held response lasts longer than the default timeout of a server.
server.requestTimeout = 0
const { url } = await listen(server)

replyToRequests(ReceiverRequest, async (request) => {
  if (request.command === 'url') return { url }
  if (request.command === 'hang') hanging.set(request.path, [])
  else if (request.command === 'recover') {
    const held = hanging.get(request.path) ?? []
    hanging.delete(request.path)
    for (const accept of held) accept()
  } else {
    const arrivals = arrivalsOf(request.path, request.run)
    return request.command === 'count' ? { count: arrivals.count } : arrivals.report(request)
  }
  return {}
})

function note(path: string, body: string): void {
  const [, run, number] = SLUG.exec(body) ?? []
  if (run !== undefined) arrivalsOf(path, run).note(Number(number), monotonicMs())
}

function arrivalsOf(path: string, run: string): Arrivals {
  const known = runs.get(`${path} ${run}`) ?? new Arrivals()
  runs.set(`${path} ${run}`, known)
  return known
}
