import { z } from 'zod'

// What several parts of the storefront configuration are made of.

export const text = (description: string) => z.string().nullish().describe(description)
export const flag = (description: string) => z.boolean().nullish().describe(description)
/** For parts that only storefronts read, and whose names they choose. */
export const open = (description: string) => z.record(z.string(), z.unknown()).nullish().describe(description)

export const label = text('The text that the shopper reads.')

export const Link = z
  .looseObject({
    label,
    to: text('A path of the storefront such as `/shop/women`, or a full address.'),
    variant: text('Style of the button: `accent` or `outline`. Plain links have none.'),
  })
  .meta({ id: 'StorefrontLink' })
