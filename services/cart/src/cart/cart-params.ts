import { z } from 'zod'

/** The cart in the path of a route. Any text is accepted: an unknown id is "not found". */
export const CartParams = z.object({
  id: z
    .string()
    .describe("From `POST /carts`. The id of a guest's cart still works after the cart was merged at sign-in."),
})

/** A line of a cart in the path of a route. */
export const LineParams = CartParams.extend({
  lineId: z.string().describe("`id` of one of the cart's `lines`; it stays the same when the quantity changes."),
})
