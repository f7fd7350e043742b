import { z } from 'zod'
import { Timestamp } from './common.ts'

export const DeliveryEstimate = z
  .object({
    method: z.string().describe('Id of the shipping method, the first of the shop if the request names none.'),
    country: z
      .string()
      .describe('ISO 3166-1 alpha-2 code, in upper case; empty if the request names none and the shop ships anywhere.'),
    arrivesAt: Timestamp.describe('Noon of the day of arrival in the time zone of the shop. ISO 8601, UTC.'),
    cutoff: z.string().describe('Order by this hour, in the time zone of the shop: `14:00 today` or `14:00 tomorrow`.'),
    shipsToday: z.boolean().describe('Whether an order placed now is shipped today: a working day, before the cutoff.'),
    guaranteed: z.boolean().describe('Whether the merchant promises this day; false for an estimate.'),
  })
  .meta({ id: 'DeliveryEstimate' })
