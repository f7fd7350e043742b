import { z } from 'zod'

/** How a merchant names the way in which a buyer paid. */
export const PaymentMethod = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('How the buyer paid, in your own words such as bank transfer; shown to the buyer on the order.')
