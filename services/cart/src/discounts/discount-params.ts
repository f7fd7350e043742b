import { z } from 'zod'

/** The discount in the path of a route. Any text is accepted: an unknown code is "not found". */
export const DiscountParams = z.object({ code: z.string().describe('The code of the discount, in any case.') })
