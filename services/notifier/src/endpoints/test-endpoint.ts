import { actorIdOf, recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { newId, WEBHOOK_TEST_TYPE, WEBHOOK_TYPES, type Actor } from '@storefront/contracts'
import { z } from 'zod'
import { AttemptResult } from '../deliveries/show-delivery.ts'
import { signatureHeaders } from '../deliveries/signature.ts'
import type { NotifierContext } from '../context.ts'
import { endpointNotFound, tooManyTests, unreadableSecret } from '../errors.ts'
import { EndpointParams } from './endpoint.ts'
import { findEndpoint } from './endpoints.queries.ts'
import { SAMPLE_FIELDS, type SampleType } from './sample-event.ts'
import { insertSentTest } from './tests.queries.ts'

/** Concurrent tests in one replica: each may hold a connection until its receiver times out. */
const MAX_TESTS = 16

const TestResult = z
  .object({
    delivered: z.boolean().describe('Whether the endpoint responded with a status from 200 to 299 in time.'),
    status: AttemptResult.shape.status,
    error: AttemptResult.shape.error,
    answer: AttemptResult.shape.answer,
    durationMs: AttemptResult.shape.durationMs,
    deliveryId: z.string().describe('The attempt in the log, for `GET /admin/webhooks/deliveries/{id}`.'),
  })
  .meta({ id: 'WebhookTest' })

export function testEndpointRoute(app: App, context: NotifierContext): void {
  const { db, clock, log, sender, secretsOf, credentials } = context
  let underWay = 0

  app.post('/admin/webhooks/:id/test', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Send an event to an endpoint now and return the result',
      description:
        'One signed attempt, also to a disabled endpoint: `webhook.test`, or a type of event with values that ' +
        'do not exist in the shop. It is logged, is never repeated and does not count as a failure.',
      params: EndpointParams,
      body: z
        .object({
          type: z
            .enum([WEBHOOK_TEST_TYPE, ...WEBHOOK_TYPES])
            .optional()
            .describe(`Type of the event that is sent; \`${WEBHOOK_TEST_TYPE}\` if omitted.`),
        })
        .nullish(),
      response: { 200: TestResult },
    },
    handler: async ({ params, body: given, actor }) => {
      if (underWay >= MAX_TESTS) throw tooManyTests()
      underWay++
      try {
        return await sendTest(params.id, given?.type ?? WEBHOOK_TEST_TYPE, actor)
      } finally {
        underWay--
        log.info({ endpoint: params.id, actor: actorIdOf(actor) }, 'a webhook endpoint was tested')
      }
    },
  })

  async function sendTest(endpointId: string, type: SampleType, actor: Actor) {
    await credentials.known
    const endpoint = await findEndpoint(db, endpointId)
    if (!endpoint) throw endpointNotFound()
    const secrets = secretsOf(endpoint)
    if (!secrets) throw unreadableSecret()
    const at = clock.now()
    const eventId = newId('event')
    const body = JSON.stringify({ id: eventId, type, at: at.toISOString(), ...SAMPLE_FIELDS[type] })
    const headers = signatureHeaders(secrets, { webhookId: eventId, body, at })
    const { retryAfter: _, ...result } = await sender.send(endpoint.url, headers, body, new AbortController().signal)
    const id = newId('delivery')
    await transaction(db, async (tx) => {
      await insertSentTest(tx, { id, endpointId, eventId, type, body, at, settledAt: clock.now(), ...result })
      const subject = { kind: 'webhook' as const, id: endpointId }
      const after = { type, deliveryId: id, status: result.status }
      await recordAction(tx, { actor, action: 'test', subject, after, at })
    })
    return { delivered: result.error === null, ...result, deliveryId: id }
  }
}
