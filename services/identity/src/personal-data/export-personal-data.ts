import type { App } from '@storefront/http'
import { Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { recordsByKind } from './records-by-kind.ts'
import { requestRecords } from './request-records.ts'
import { OwnData, readOwnData } from './own-data.ts'

const Records = z.array(z.record(z.string(), z.unknown()))

export const PersonalData = z
  .object({
    generatedAt: Timestamp.describe('When the data was read.'),
    ...OwnData.shape,
    orders: Records.describe('As GET /orders shows them, with the orders placed as a guest with a verified address.'),
    draftOrders: Records.describe(
      'Orders that the shop made for a verified address, with what they cost when they were last saved or sent.',
    ),
    carts: Records.describe('Carts that are open.'),
    reviews: Records.describe('Reviews of products, published or not.'),
    purchases: Records.describe('Which products were bought with which order, for marking a review as verified.'),
    alerts: Records.describe('Products that a verified address waits for, with the times of each alert.'),
    mails: Records.describe('Mails that were sent or are queued.'),
    other: z
      .array(
        z.object({
          kind: z.string().describe("The record's name in the service that has it."),
          record: z.record(z.string(), z.unknown()).describe('Its fields depend on the kind.'),
        }),
      )
      .describe('Records without a field of their own above.'),
  })
  .meta({ id: 'PersonalData' })

export function exportPersonalDataRoute(app: App, { db, messaging, clock }: IdentityContext): void {
  app.get('/me/export', {
    config: { access: 'customer' },
    schema: {
      summary: 'All data that the shop has about the customer, as a file',
      description:
        'Reads all services: while one of them is unavailable, there is no export. The response has ' +
        '`Content-Disposition: attachment`, so that a browser saves it.',
      response: { 200: PersonalData },
    },
    handler: async ({ actor }, reply) => {
      const customerId = customerIdOf(actor)
      const data = await readPersonalData({ db, messaging, clock }, customerId)
      reply.header('content-disposition', 'attachment; filename="personal-data.json"')
      return data
    },
  })
}

/** @throws DependencyUnavailable when a service cannot be reached, because an export must be complete */
export async function readPersonalData(
  { db, messaging, clock }: Pick<IdentityContext, 'db' | 'messaging' | 'clock'>,
  customerId: string,
): Promise<z.output<typeof PersonalData>> {
  const { own, verifiedEmail: email } = await readOwnData(db, customerId, clock.now())
  const records = await requestRecords(messaging, { customerId, email })
  return { generatedAt: clock.now().toISOString(), ...own, ...recordsByKind(records) }
}
