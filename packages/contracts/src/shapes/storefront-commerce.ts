import { z } from 'zod'
import { MAX_PRICE_MINOR } from '../money.ts'
import { flag, open, text } from './storefront-values.ts'

export const PricingSettings = z.looseObject({
  currency: text('ISO 4217 code of every price; USD by default. Cannot be changed while there are products.'),
  locale: text('BCP 47 tag for the format of amounts and dates; `en-US` by default.'),
  currencies: z
    .array(
      z
        .looseObject({
          code: z.string().describe('ISO 4217, such as EUR.'),
          label: text('Name in the list of currencies, such as Euro.'),
          symbol: text('Sign beside the amount, such as €.'),
          decimals: z.int().min(0).max(4).nullish().describe('Digits after the decimal point.'),
          position: text('Where the symbol stands: `before` or `after` the amount.'),
          pricelistId: z
            .union([z.string(), z.number()])
            .nullish()
            .describe('Kept for storefronts with several price lists; this service has one.'),
        })
        .meta({ id: 'CurrencyChoice' }),
    )
    .nullish()
    .describe('Currencies that the storefront offers for display; carts and orders stay in `currency`.'),
  showTaxNote: flag('Whether `taxNote` is shown below the totals of the cart.'),
  taxNote: text('One sentence about taxes, such as "Tax is added at checkout."'),
})

export const CommerceSettings = z.looseObject({
  freeShippingOver: z
    .int()
    .nonnegative()
    .nullish()
    .describe('Subtotal minus discount, in minor units, from which the first method is free; null for never.'),
  returnsWindowDays: z
    .int()
    .nonnegative()
    .nullish()
    .describe('Days in which goods can be returned; shown by the storefront, not enforced.'),
  shippingMethods: z
    .array(
      z
        .looseObject({
          id: z.string().min(1).describe('Sent as `shipping_method` at checkout. At most 100 characters.'),
          label: text('Name that the shopper sees.'),
          note: text('One line below the label, such as "3 working days".'),
          price: z
            .int('must be a whole number of minor units in the currency of the shop')
            .nonnegative()
            .max(MAX_PRICE_MINOR)
            .describe('In minor units of the currency of the shop.'),
          workingDays: z
            .int()
            .nonnegative()
            .nullish()
            .describe('Working days from shipping to arrival, 200 at most; 3 by default, 1 for the id `express`.'),
          guaranteed: flag('Whether the day of arrival is guaranteed; GET /delivery-estimate repeats it.'),
          pickup: flag('Whether the goods are collected at a shop.'),
          slots: flag('Whether the shopper chooses a time.'),
        })
        .meta({ id: 'ShippingMethodSetting' }),
    )
    .nullish()
    .describe('In the order in which shoppers see them; a cart is priced with the first until one is chosen.'),
  countries: z
    .array(z.tuple([z.string(), z.string()]))
    .nullish()
    .describe(
      'Pairs of ISO 3166-1 code and name; the first is used until an address is known. If empty: delivery everywhere.',
    ),
  cutoffHour: z
    .int()
    .min(0)
    .max(23)
    .nullish()
    .describe('Orders before this hour in `timeZone` ship the same working day; 14 by default.'),
  timeZone: text('IANA time zone of `cutoffHour`, such as `Europe/Paris`; UTC by default.'),
  holidays: z
    .array(z.string())
    .nullish()
    .describe('Dates such as `2026-12-25` that are not working days; Saturdays and Sundays never are.'),
  tax: z
    .looseObject({
      defaultRate: z
        .int()
        .nonnegative()
        .nullish()
        .describe('In basis points (800 is 8 percent), where no other rate applies; 0 by default.'),
      rates: z
        .array(
          z.looseObject({
            country: z.string().describe('ISO 3166-1 alpha-2 code, in any case.'),
            region: text(
              'State or province by its ISO 3166-2 code, name or common abbreviation (`CA`, `US-CA`, `California`); left out for ' +
                'the whole country. An address without a known region of such a country is rejected at checkout.',
            ),
            rate: z.int().nonnegative().max(100_000).describe('In basis points, such as 725 for 7.25 percent.'),
          }),
        )
        .nullish()
        .describe(
          'A rate for a region takes precedence over that of its country. One rate for each country or region.',
        ),
      pricesIncludeTax: flag('Whether prices include the tax: it is then shown, and not added to the total.'),
      shippingTaxed: flag('Whether shipping is taxed as well; false by default.'),
    })
    .nullish()
    .describe('How carts and orders are taxed; not at all by default.'),
  stock: open('How the storefront shows stock; stored for the storefront as it is sent.'),
})
