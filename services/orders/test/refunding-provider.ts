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
export type Behavior = 'normal' | 'rejects' | 'unreachable' | 'lost' | 'pending'

export interface RefundingProvider extends PaymentProvider {
  behavior: Behavior
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
export function simulateRefundingProvider(name: string): RefundingProvider {
  const notSimulated = () => Promise.reject(new Error('not simulated'))
  const simulated: RefundingProvider = {
    name,
    behavior: 'normal',
    configured: true,
    refunds: new Map(),
    requests: new Map(),
    inspections: 0,
    beforeResponse: undefined,
    beforeRejection: undefined,
    isConfigured: () => simulated.configured,
    openSession: notSimulated,
    closeSession: notSimulated,
    inspectSession: notSimulated,
    async refund(refund) {
      simulated.requests.set(refund.id, (simulated.requests.get(refund.id) ?? 0) + 1)
      const { behavior } = simulated
      if (behavior === 'rejects') await simulated.beforeRejection?.()
      if (behavior === 'rejects') throw new ProviderRejection(name, 'charge_disputed')
      if (behavior === 'unreachable') throw new ProviderUnavailable(name, 'time-out')
      const made: RefundUpdate = simulated.refunds.get(refund.id) ?? {
        kind: 'refund',
        provider: name,
        status: behavior === 'pending' ? 'pending' : 'succeeded',
        reference: `re_${refund.id}`,
        refundId: refund.id,
        paymentReference: refund.paymentReference,
        amount: refund.amount,
      }
      simulated.refunds.set(refund.id, made)
      await simulated.beforeResponse?.(refund)
      if (behavior === 'lost') throw new ProviderUnavailable(name, 'connection reset')
      return { reference: made.reference, status: made.status === 'pending' ? 'pending' : 'succeeded' }
    },
    inspectRefund(refund) {
      simulated.inspections++
      if (simulated.behavior === 'unreachable') return Promise.reject(new ProviderUnavailable(name, 'time-out'))
      return Promise.resolve(simulated.refunds.get(refund.id))
    },
    verifyWebhook() {
      throw new Error('not simulated')
    },
    readWebhook: () => undefined,
    settle(refundId, status) {
      const update = simulated.refunds.get(refundId)
      if (!update) throw new Error('no such refund')
      const settled = { ...update, status }
      simulated.refunds.set(refundId, settled)
      return settled
    },
  }
  return simulated
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
    ...simulateRefundingProvider(name),
    refund: async (refund) => MadeRefund.parse(await call({ call: 'refund', refund })),
    inspectRefund: async ({ reference: _reference, ...refund }) =>
      Update.nullable().parse(await call({ call: 'inspectRefund', refund })) ?? undefined,
  }
}
