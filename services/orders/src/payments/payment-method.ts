import { z } from 'zod'

/** How a merchant says that a buyer has paid. */
export const PaymentMethod = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('How the buyer paid, in your own words such as bank transfer; the buyer sees it on the order.')
