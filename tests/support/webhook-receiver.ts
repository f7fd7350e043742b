import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { listen } from '@storefront/tools/listen'

const Payload = z.looseObject({ id: z.string(), type: z.string(), at: z.string() })
export type Payload = z.output<typeof Payload>

export interface WebhookReceiver {
  url: string
  /** The payloads with a valid signature and a 2xx response, in the order of their arrival. */
  received: Payload[]
  /** The number of requests with an invalid signature. */
  forged: () => number
  /** Delays the responses to requests until `release` is called. */
  hold: () => { arrived: () => number; release: () => void }
  /** Sets the secret, as soon as the shop has one. */
  useSecret: (secret: string) => void
  close: () => Promise<void>
}

/**
 * The webhook endpoint of the storefront: a real server that verifies every signature with the library of the standard.
 * @param host the address of this machine at which the shop reaches it
 */
export async function openWebhookReceiver(host = '127.0.0.1'): Promise<WebhookReceiver> {
  const received: Payload[] = []
  let webhook: Webhook | undefined
  let forged = 0
  let held: { arrived: number; done: Promise<void> } | undefined

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (held) {
      held.arrived++
      await held.done
    }
    try {
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request.headers[name])]),
      )
      const payload = Payload.parse(webhook?.verify(body, headers))
      if (request.url !== '/api/revalidate') throw new Error(`called at ${request.url}`)
      received.push(payload)
      response.writeHead(200).end()
    } catch {
      forged++
      response.writeHead(400).end()
    }
  }

  const server = createServer((request, response) => {
    // A sender may be killed during a request.
    take(request, response).catch(() => response.destroy())
  })
  const { url, close } = await listen(server, host)
  return {
    url,
    received,
    forged: () => forged,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const holding = { arrived: 0, done: promise }
      held = holding
      return {
        arrived: () => holding.arrived,
        release: () => {
          held = undefined
          resolve()
        },
      }
    },
    useSecret(secret) {
      webhook = new Webhook(secret)
    },
    close,
  }
}
