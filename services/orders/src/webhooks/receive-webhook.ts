import { z } from 'zod'
import type { App } from '@storefront/http'
import type { OrdersContext } from '../context.ts'
import { noSuchProvider } from '../errors.ts'
import { storeProviderEvent } from './webhooks.queries.ts'

/**
 * Receives the webhooks of payment providers. An event is stored before the response, and processed elsewhere: whatever
 * the result, the provider never waits, and never sends a stored event again.
 * @param arrived is called when there is an event to process
 */
export function receiveWebhookRoute(
  app: App,
  { db, clock, providers }: Pick<OrdersContext, 'db' | 'clock' | 'providers'>,
  arrived: () => void,
): void {
  // An encapsulated scope, because the signature is over the bytes: here no body is parsed, whatever its content type.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/webhooks/:provider', {
      config: { access: 'public', errors: ['bad_signature', 'not_found'] },
      schema: {
        summary: 'Receive an event of a payment provider, signed by that provider',
        description:
          'The address to register at the payment provider. An event is stored before the response and processed after it; a ' +
          'repeated event is accepted and changes nothing.',
        params: z.object({ provider: z.string().max(100).describe('`stripe`, `razorpay` or `demo`.') }),
        response: {
          200: z.object({ received: z.literal(true).describe('The event is stored and need not be sent again.') }),
        },
      },
      handler: async ({ params, body, headers }) => {
        const provider = providers.get(params.provider)
        if (!provider) throw noSuchProvider()
        const payload = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const { eventId, type } = await provider.verifyWebhook({ body: payload, headers })
        const event = { provider: provider.name, eventId, type, payload }
        if (await storeProviderEvent(db, event, clock.now())) arrived()
        return { received: true as const }
      },
    })
  })
}
