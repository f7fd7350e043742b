import { z } from 'zod'
import type { App } from '@storefront/chassis'
import type { OrdersContext } from '../context.ts'
import { noSuchProvider } from '../errors.ts'
import { storeProviderEvent } from './webhooks.queries.ts'

/**
 * Takes the news of a payment provider. It is kept before it is answered, and worked off by somebody else: whatever becomes
 * of it, the provider never waits, and never sends again what is here.
 * @param arrived is called when there is something to work off
 */
export function receiveWebhookRoute(
  app: App,
  { db, clock, providers }: Pick<OrdersContext, 'db' | 'clock' | 'providers'>,
  arrived: () => void,
): void {
  // A scope of its own, because the signature is over the bytes: here nothing parses a body, whatever it says that it is.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(
      '/webhooks/:provider',
      {
        config: { access: 'public', errors: ['bad_signature', 'not_found'] },
        schema: {
          tags: ['Payments'],
          summary: 'News of a payment provider, signed as that provider signs',
          description:
            'The address to register at the payment provider. An event is stored before the reply and processed after it; one ' +
            'that is there already is accepted and changes nothing.',
          params: z.object({ provider: z.string().max(100).describe('`stripe`, `razorpay` or `demo`.') }),
          response: {
            200: z.object({ received: z.literal(true).describe('The event is stored and need not be sent again.') }),
          },
        },
      },
      async ({ params, body, headers }) => {
        const provider = providers.get(params.provider)
        if (!provider) throw noSuchProvider()
        const payload = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const { eventId, type } = await provider.verifyWebhook({ body: payload, headers })
        const event = { provider: provider.name, eventId, type, payload }
        if (await storeProviderEvent(db, event, clock.now())) arrived()
        return { received: true as const }
      },
    )
  })
}
