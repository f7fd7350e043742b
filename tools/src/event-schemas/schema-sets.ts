import { resolve } from 'node:path'
import { EVENTS, WEBHOOK_PAYLOADS, WEBHOOK_TEST_TYPE, WebhookTestPayload } from '@storefront/contracts'
import { describeEvent, describeWebhook } from './describe-event.ts'

/** Schemas that are committed together in a folder of their own. */
export interface SchemaSet {
  folder: string
  /** Before a name on the command line, because events and webhooks share theirs. */
  prefix: string
  schemas: ReadonlyMap<string, string>
}

const contracts = resolve(import.meta.dirname, '../../../packages/contracts')
const payloads = { ...WEBHOOK_PAYLOADS, [WEBHOOK_TEST_TYPE]: WebhookTestPayload }

/** Events between the services, and bodies of webhooks. */
export const SCHEMA_SETS: readonly SchemaSet[] = [
  {
    folder: resolve(contracts, 'event-schemas'),
    prefix: '',
    schemas: new Map(EVENTS.map((event) => [event.name, describeEvent(event)])),
  },
  {
    folder: resolve(contracts, 'webhook-schemas'),
    prefix: 'webhook/',
    schemas: new Map(Object.entries(payloads).map(([type, payload]) => [type, describeWebhook(type, payload)])),
  },
]
