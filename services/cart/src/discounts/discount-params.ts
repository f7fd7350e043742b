import { z } from 'zod'

/** The discount in the address of a route. Any text will do: what is not a code of the shop is not found. */
export const DiscountParams = z.object({ code: z.string().describe('The code of the discount, in any case.') })
