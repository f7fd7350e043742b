import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import {
  ProviderRejection,
  ProviderUnavailable,
  type PaymentProvider,
  type RefundUpdate,
  type RefundToMake,
} from '../src/payments/provider.ts'

/** The behavior for the next refunds. `lost` is a refund that is made and whose response is lost. */
export type Mood = 'well' | 'refuses' | 'away' | 'lost' | 'pending'

export interface RefundingProvider extends PaymentProvider {
  mood: Mood
  configured: boolean
  /** Refunds that were made there, by our id. */
  refunds: Map<string, RefundUpdate>
  /** The number of requests for each refund, by our id. */
  requests: Map<string, number>
  inspections: number
  /** Runs before each response to a refund, after it has been made. */
  beforeResponse: ((refund: RefundToMake) => Promise<void>) | undefined
  beforeRejection: (() => Promise<void>) | undefined
  settle(refundId: string, status: 'succeeded' | 'failed'): RefundUpdate
}

/** A provider in the memory of the test: like a real one it makes a refund once for each of our ids. */
export function playRefundingProvider(name: string): RefundingProvider {
  const notPlayed = () => Promise.reject(new Error('not played'))
  const played: RefundingProvider = {
    name,
    mood: 'well',
    configured: true,
    refunds: new Map(),
    requests: new Map(),
    inspections: 0,
    beforeResponse: undefined,
    beforeRejection: undefined,
    isConfigured: () => played.configured,
    openSession: notPlayed,
    closeSession: notPlayed,
    inspectSession: notPlayed,
    async refund(refund) {
      played.requests.set(refund.id, (played.requests.get(refund.id) ?? 0) + 1)
      const { mood } = played
      if (mood === 'refuses') await played.beforeRejection?.()
      if (mood === 'refuses') throw new ProviderRejection(name, 'charge_disputed')
      if (mood === 'away') throw new ProviderUnavailable(name, 'time-out')
      const made: RefundUpdate = played.refunds.get(refund.id) ?? {
        kind: 'refund',
        provider: name,
        status: mood === 'pending' ? 'pending' : 'succeeded',
        reference: `re_${refund.id}`,
        refundId: refund.id,
        paymentReference: refund.paymentReference,
        amount: refund.amount,
      }
      played.refunds.set(refund.id, made)
      await played.beforeResponse?.(refund)
      if (mood === 'lost') throw new ProviderUnavailable(name, 'connection reset')
      return { reference: made.reference, status: made.status === 'pending' ? 'pending' : 'succeeded' }
    },
    inspectRefund(refund) {
      played.inspections++
      if (played.mood === 'away') return Promise.reject(new ProviderUnavailable(name, 'time-out'))
      return Promise.resolve(played.refunds.get(refund.id))
    },
    verifyWebhook() {
      throw new Error('not played')
    },
    readWebhook: () => undefined,
    settle(refundId, status) {
      const update = played.refunds.get(refundId)
      if (!update) throw new Error('no such refund')
      const settled = { ...update, status }
      played.refunds.set(refundId, settled)
      return settled
    },
  }
  return played
}

const RefundRequest = z.object({
  call: z.enum(['refund', 'inspectRefund']),
  refund: z.object({
    id: z.string(),
    paymentReference: z.string(),
    amount: z.object({ amount: z.int(), currency: z.string() }),
    reason: z.string().optional(),
  }),
})
const MadeRefund = z.object({ reference: z.string(), status: z.enum(['pending', 'succeeded']) })
const Update = z.object({
  kind: z.literal('refund'),
  provider: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  reference: z.string(),
  refundId: z.string(),
  paymentReference: z.string(),
  amount: z.object({ amount: z.int(), currency: z.string() }),
})

/** Lets a service in a process of its own call a simulated provider. */
export async function serveProvider(provider: RefundingProvider): Promise<{ url: string; stop(): Promise<void> }> {
  async function responseTo(request: IncomingMessage): Promise<unknown> {
    const { call, refund } = RefundRequest.parse(await json(request))
    const toMake = { ...refund, reason: refund.reason }
    return (
      (call === 'refund'
        ? await provider.refund(toMake)
        : await provider.inspectRefund({ ...toMake, reference: null })) ?? null
    )
  }
  const server = createServer((request, response) => {
    responseTo(request).then(
      (body) => response.end(JSON.stringify(body)),
      () => response.writeHead(503).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The same provider, as a service in a process of its own sees it. */
export function remoteProvider(name: string, url: string): PaymentProvider {
  async function call(request: z.input<typeof RefundRequest>): Promise<unknown> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) }).catch((error: unknown) => {
      throw new ProviderUnavailable(name, error)
    })
    if (!response.ok) throw new ProviderUnavailable(name, response.status)
    return response.json()
  }
  return {
    ...playRefundingProvider(name),
    refund: async (refund) => MadeRefund.parse(await call({ call: 'refund', refund })),
    inspectRefund: async ({ reference: _reference, ...refund }) =>
      Update.nullable().parse(await call({ call: 'inspectRefund', refund })) ?? undefined,
  }
}
