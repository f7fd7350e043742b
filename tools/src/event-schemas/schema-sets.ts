import { resolve } from 'node:path'
import { EVENTS, WEBHOOK_PAYLOADS, WEBHOOK_TEST_TYPE, WebhookTestPayload } from '@storefront/contracts'
import { describeEvent, describeWebhook } from './describe-event.ts'

/** Schemas that are committed in one folder. */
export interface SchemaSet {
  folder: string
  /** Prefix of names on the command line, because an event and a webhook may have the same name. */
  prefix: string
  schemas: ReadonlyMap<string, string>
}

const contracts = resolve(import.meta.dirname, '../../../packages/contracts')
const payloads = { ...WEBHOOK_PAYLOADS, [WEBHOOK_TEST_TYPE]: WebhookTestPayload }

/** The schemas of events between the services, and of bodies of webhooks. */
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
