import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { listen } from '@storefront/tools/listen'

const WebhookBody = z.object({ type: z.string(), orderId: z.string().optional() })

/** Accepts every webhook and counts how often each order was reported as paid. */
export async function openStorefront() {
  const paid = new Map<string, number>()

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { type, orderId } = WebhookBody.parse(await json(request))
    if (type === 'order.paid' && orderId !== undefined) paid.set(orderId, (paid.get(orderId) ?? 0) + 1)
    response.writeHead(200, { 'content-length': 0 }).end()
  }

  const server = createServer((request, response) => {
    // A sender that was killed during a request need not be reported.
    receive(request, response).catch(() => response.destroy())
  })
  const { url, close } = await listen(server)
  return { url, paid, close }
}
