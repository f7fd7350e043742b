import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { listen } from './listen.ts'

const WebhookBody = z.object({ type: z.string(), orderId: z.string().optional() })

/** Accepts every webhook and counts how often each order was reported as paid. */
export async function openStorefront(): Promise<{ url: string; paid: ReadonlyMap<string, number>; close: () => void }> {
  const paid = new Map<string, number>()

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part))
    const { type, orderId } = WebhookBody.parse(JSON.parse(Buffer.concat(parts).toString()))
    if (type === 'order.paid' && orderId !== undefined) paid.set(orderId, (paid.get(orderId) ?? 0) + 1)
    response.writeHead(200, { 'content-length': 0 }).end()
  }

  const server = createServer((request, response) => {
    // A sender that was killed in the middle is nothing to report.
    receive(request, response).catch(() => response.destroy())
  })
  return { url: await listen(server), paid, close: () => server.close() }
}
