import { z } from 'zod'
import { Timestamp } from './common.ts'

export const DeliveryEstimate = z
  .object({
    method: z.string(),
    country: z.string(),
    arrivesAt: Timestamp,
    cutoff: z.string(),
    shipsToday: z.boolean(),
    guaranteed: z.boolean(),
  })
  .meta({ id: 'DeliveryEstimate' })
