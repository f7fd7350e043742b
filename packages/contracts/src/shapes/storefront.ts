import { z } from 'zod'
import { MAX_PRICE_MINOR } from '../money.ts'
import { Timestamp } from './common.ts'
import { NotificationsDocument } from './notifications.ts'

// The document is stored and read back as it was written: null and the empty text are values that mean "not set".
// Objects are loose, because documents of earlier versions must be readable; a write may use only the names that are
// declared here.

const text = (description: string) => z.string().nullish().describe(description)
const flag = (description: string) => z.boolean().nullish().describe(description)
/** For parts that only storefronts read, and whose names they choose. */
const open = (description: string) => z.record(z.string(), z.unknown()).nullish().describe(description)

const Image = z
  .looseObject({
    url: text(
      'A full address, or a path on this server such as `/media/hero.webp`, which replies contain as a full address.',
    ),
    alt: text('What the picture shows, as alternative text.'),
    width: z.int().nullish().describe('In pixels; null if it is not known.'),
    height: z.int().nullish().describe('In pixels, like `width`.'),
  })
  .meta({ id: 'StorefrontImage' })

const label = text('The text that the shopper reads.')

const Link = z
  .looseObject({
    label,
    to: text('A path of the storefront such as `/shop/women`, or a full address.'),
    variant: text('Style of the button: `accent` or `outline`. Plain links have none.'),
  })
  .meta({ id: 'StorefrontLink' })

export interface NavigationItem {
  [key: string]: unknown
  label?: string | null | undefined
  to?: string | null | undefined
  categorySlug?: string | null | undefined
  slug?: string | null | undefined
  name?: string | null | undefined
  children?: NavigationItem[] | null | undefined
}
const NavigationItem: z.ZodType<NavigationItem> = z
  .looseObject({
    label,
    to: text('Target of the link, such as `/shop?sort=newest`. Left out for an entry with a `categorySlug`.'),
    categorySlug: text('Slug of a category: the entry links to it, and its subcategories become the submenu.'),
    slug: text('In a submenu, slug of a category instead of `to`.'),
    name: text('In a submenu, name of a category instead of `label`.'),
    children: z
      .lazy(() => z.array(NavigationItem))
      .nullish()
      .describe('The submenu, entries of the same shape.'),
  })
  .meta({ id: 'NavigationItem' })

const FooterColumn = z
  .looseObject({
    title: text('The heading above the links.'),
    links: z.array(Link).nullish().describe('From top to bottom.'),
  })
  .meta({ id: 'FooterColumn' })

/** The products of a rail; also the source of its key in `rails` of GET /bootstrap. */
export const RailSource = z
  .looseObject({
    sort: text('Order of the products, as `sort` of GET /products; `featured` by default.'),
    category: text('Slug of a category; products of its subcategories are shown as well.'),
    collection: text('Slug of a collection; null for no restriction.'),
    tags: z
      .union([z.string(), z.array(z.string())])
      .nullish()
      .describe('Products with at least one of these tags: a list, or one text joined by commas.'),
    limit: z
      .int()
      .positive()
      .nullish()
      .describe('How many products, categories or collections are shown. A rail shows 4 by default, 48 at most.'),
    parent: text('For a category strip: slug of the category whose children are shown; null for the top level.'),
  })
  .meta({ id: 'RailSource' })
export type RailSource = z.output<typeof RailSource>

/** Sections that the storefront shows. Sections of other types are left out, and their fields are not validated. */
export const HOME_SECTION_TYPES = [
  'hero',
  'category-strip',
  'product-rail',
  'editorial',
  'collection-grid',
  'rich-text',
  'promises',
] as const

export const HomeSection = z
  .looseObject({
    type: z
      .string()
      .describe(`One of ${HOME_SECTION_TYPES.join(', ')}. Sections of any other type are stored, and not shown.`),
    id: text('Anchor for links to the section.'),
    eyebrow: text('A short line above the title.'),
    title: text('The heading of the section; none by default.'),
    body: z
      .union([z.string(), z.array(z.string())])
      .nullish()
      .describe('One text, or for an editorial section a list with one text for each paragraph.'),
    image: Image.nullish().describe('The picture of a hero or an editorial section.'),
    focal: text('The point of the picture that stays visible when it is cropped, such as `50% 35%`.'),
    actions: z.array(Link).nullish().describe('The buttons of a hero.'),
    action: Link.nullish().describe('The button of an editorial or rich-text section.'),
    ctaLabel: text('Text of the link beside the title.'),
    ctaTo: text('Target of the link beside the title: a path of the storefront or a full address.'),
    source: RailSource.nullish().describe('Which products, categories or collections the section shows.'),
  })
  .meta({ id: 'HomeSection' })
export type HomeSection = z.output<typeof HomeSection>

const addressPart = (description: string) => z.string().max(200).nullish().describe(description)
/** The postal address of the shop, for the footer of its mails. */
export const StoreAddress = z.union(
  [
    z.string().max(500),
    z.looseObject({
      name: addressPart('Name of the company, the first line of the address.'),
      line1: addressPart('Street and number.'),
      line2: addressPart('A second line for the street, such as the floor.'),
      city: addressPart('Town, printed on one line with region and postal code.'),
      region: addressPart('State or province, printed before the postal code.'),
      postalCode: addressPart('In the format of the country.'),
      country: addressPart(
        'ISO 3166-1 code, printed as the name in the language of the shop; other text is printed unchanged.',
      ),
    }),
  ],
  'must be a text of up to 500 characters, or an object with name, line1, line2, city, region, postalCode and country',
)
export type StoreAddress = z.output<typeof StoreAddress>

const StoreSettings = z.looseObject({
  name: text('Name of the shop in the header, in page titles, and as the sender of its mails.'),
  tagline: text('One sentence about the shop.'),
  description: text('What search engines show below the name.'),
  logo: z
    .looseObject({
      wordmark: text('The name as the logo shows it.'),
      mark: text('Which of its built-in logos the storefront shows.'),
      imageUrl: text('A picture in place of the built-in logo; null for none.'),
      height: z.number().nullish().describe('In pixels.'),
    })
    .nullish()
    .describe('The logo in the header of every page.'),
  email: text('Contact address for customers; shown by the storefront.'),
  address: StoreAddress.nullish().describe('Printed in the footer of mails: a text of several lines, or its parts.'),
  contact: open('Further ways to reach the shop, such as `phone` and `address`.'),
  credit: flag('Whether the footer names the maker of the storefront.'),
})

const PricingSettings = z.looseObject({
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

const CommerceSettings = z.looseObject({
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

const FeatureSettings = z.looseObject({
  wishlist: flag('Whether shoppers can save products.'),
  reviews: flag('Whether reviews are shown; while false, the service accepts no new ones either.'),
  search: flag('Whether there is a search field.'),
  accounts: flag('Whether shoppers can sign in.'),
  discountCodes: flag('Whether the cart has a field for discount codes.'),
  newsletter: flag('Whether shoppers can sign up for the newsletter.'),
  recentlyViewed: flag('Whether recently viewed products are shown.'),
  currencySwitcher: flag('Whether the shopper can choose among `pricing.currencies`.'),
  blog: flag('Whether the storefront has its blog.'),
  contactForm: flag('Whether the storefront has its contact form.'),
  docsLink: z
    .union([z.boolean(), z.literal('auto')])
    .nullish()
    .describe('Whether the footer links to the documentation; `auto` leaves it to the storefront.'),
})

const NavigationSettings = z.looseObject({
  primary: z
    .array(NavigationItem)
    .nullish()
    .describe('The menu in the header; if it is empty, the storefront lists the categories.'),
  footer: z.array(FooterColumn).nullish().describe('Columns of links from left to right.'),
  announcement: z
    .looseObject({ messages: z.array(z.string()).nullish().describe('Shown one after the other.') })
    .nullish()
    .describe('The announcement bar above the header; null for none.'),
})

const RelatedStrategy = text('One of automatic, same-category, best-sellers, manual, api or off.')

const RecommendationSettings = z.looseObject({
  strategy: RelatedStrategy.describe(
    'How related products are chosen: automatic (the default), same-category, best-sellers, manual, api or off.',
  ),
  limit: z.int().nullish().describe('How many related products are shown, 1 to 48; 4 by default.'),
  title: text('The heading above related products.'),
  inCart: z
    .looseObject({
      enabled: flag('Whether the cart shows recommendations.'),
      title: text('The heading above recommendations in the cart.'),
      limit: z.int().nullish().describe('How many recommendations the cart shows.'),
      strategy: RelatedStrategy,
    })
    .nullish()
    .describe('Recommendations in the cart; read only by the storefront.'),
})

const CheckoutSettings = z.looseObject({
  mode: text('What POST /carts/:id/checkout does: demo (the default), api, redirect or razorpay.'),
  provider: text('The payment provider in the mode redirect: demo (the default) or stripe.'),
  publicKey: text('Public half of the key of the provider, such as `rzp_live_…`. The secret half is a credential.'),
  createUrl: text("Where the storefront sends a checkout; GET /storefront returns this service's route by default."),
  verifyUrl: text(
    "Where the storefront sends the result of a Razorpay payment; this service's route is `/payments/verify`.",
  ),
  successUrl: text('Page of the storefront for a buyer who has paid, such as `/order/:orderId`.'),
  cancelUrl: text('Page of the storefront for a buyer who left the payment, such as `/cart`.'),
  collectPhone: flag('Whether the form has a field for a telephone number. The service never requires one.'),
  requireAccount: flag('Whether the storefront has shoppers sign in first. The service accepts guests in any case.'),
  termsUrl: text('Page with the terms that the checkout links to.'),
  restockOnRefund: flag(
    'Whether a full refund, or a refund of units, returns goods to the stock, unless the refund says otherwise; true by default.',
  ),
})

const SearchEngineSettings = z.looseObject({
  siteUrl: text('Full address of the storefront, such as `https://shop.example`.'),
  indexable: flag('Whether search engines may list the storefront.'),
  disallow: z.array(z.string()).nullish().describe('Paths that search engines must not crawl, such as `/cart`.'),
  aiCrawlers: text('One of allow, block or custom.'),
  crawlers: z.record(z.string(), z.unknown()).nullish().describe('Rules by name of the crawler, for the value custom.'),
  sitemapImages: flag('Whether the sitemap lists pictures.'),
  title: text('Title of the home page.'),
  description: text('Description of the home page for search engines.'),
  titleTemplate: text('Titles of other pages, such as `{title} | {store}`.'),
  image: z.unknown().optional().describe('Picture for previews of links to the storefront.'),
})

const AnalyticsSettings = z.looseObject({
  enabled: flag('Whether the storefront collects events.'),
  respectDoNotTrack: flag('Whether visitors whose browser sends Do Not Track are left out.'),
  debug: flag('Whether events are written to the console of the browser, and nowhere else.'),
  providers: open('Tag ids by provider.'),
  serverPurchase: open('Which providers are notified of purchases by a server; this service notifies none.'),
})

const TrustSettings = z.looseObject({
  payments: z.array(z.string()).nullish().describe('Payment methods that are named beside the buy button.'),
  assurances: z
    .array(
      z.looseObject({
        icon: text('A name from `icons` of GET /attributes, or an address.'),
        label: text('The assurance, in a few words.'),
        note: text('Details that the shopper can open.'),
      }),
    )
    .nullish()
    .describe('Shown below the buy button of products that have no assurances of their own.'),
  repairs: flag('Whether a line says that goods are repaired.'),
  showCertifications: flag('Whether certifications of the fabric are shown.'),
  showFitFeedback: flag('Whether the fit according to buyers is shown.'),
  showSocialProof: flag('Whether counts of purchases and saves are shown.'),
  socialProofThresholds: z
    .looseObject({
      bought: z.int().nullish().describe('Lowest number of purchases in 30 days that is shown.'),
      saved: z.int().nullish().describe('Lowest number of saves that is shown.'),
    })
    .nullish()
    .describe('Counts below these are hidden.'),
})

const StorePromise = z
  .looseObject({
    icon: text('A name from `icons` of GET /attributes.'),
    title: text('The promise in a few words.'),
    body: text('One sentence about the promise.'),
  })
  .meta({ id: 'StorePromise' })

/**
 * The document that a merchant edits. Its names are part of the HTTP contract (docs/contract.md); the shapes are
 * described in docs/decisions/0053.
 */
export const StorefrontConfiguration = z
  .looseObject({
    version: z
      .int()
      .nonnegative()
      .optional()
      .describe('Increases by one with each change. Set by the service; a value that is sent is ignored.'),
    store: StoreSettings.nullish().describe('Name, logo and address of the shop.'),
    pricing: PricingSettings.nullish().describe('The currency of the shop, and the format of amounts.'),
    commerce: CommerceSettings.nullish().describe('Delivery and tax, which determine cart prices.'),
    features: FeatureSettings.nullish().describe(
      'Parts of the storefront that it hides while they are false. Except for reviews, their routes stay available.',
    ),
    navigation: NavigationSettings.nullish().describe('Menu, footer and the announcement bar above the header.'),
    home: z
      .array(HomeSection)
      .nullish()
      .describe('Sections of the home page from top to bottom, 100 at most; an empty list for none.'),
    recommendations: RecommendationSettings.nullish().describe('Products that the shopper might also like.'),
    checkout: CheckoutSettings.nullish().describe('How carts are checked out and paid.'),
    orders: z
      .looseObject({
        numberPrefix: z
          .string()
          .max(20)
          .nullish()
          .describe('Prefix of the numbers of new orders; `SF-` if it is null or left out, none if it is empty.'),
      })
      .nullish()
      .describe('How orders are numbered.'),
    promises: z.array(StorePromise).nullish().describe('What the shop promises its customers, on every page.'),
    notifications: NotificationsDocument.nullish().describe('Mails about orders. Only admins see this part.'),
    seo: SearchEngineSettings.nullish().describe('What search engines read about the storefront.'),
    analytics: AnalyticsSettings.nullish().describe(
      'Analytics of the storefront; the service itself collects nothing.',
    ),
    trust: TrustSettings.nullish().describe('What is shown beside the buy button.'),
    deliveryPolicy: z
      .array(z.string())
      .nullish()
      .describe('Paragraphs about delivery and returns; {shipping}, {freeOver} and {returnsDays} are replaced.'),
    media: open('How the storefront requests pictures.'),
    i18n: open('Languages of the storefront.'),
    uiStrings: open('Texts of the storefront by language.'),
    theme: open('Colors and typography of the storefront.'),
    consent: open('The consent banner of the storefront.'),
    access: open('Who may see the storefront; stored for the storefront, the service restricts nothing by it.'),
    security: open("Protection of the storefront's forms."),
    extensions: open('Anything else that a storefront needs: any keys are stored and read back.'),
  })
  .meta({ id: 'StorefrontConfiguration' })
export type StorefrontConfiguration = z.output<typeof StorefrontConfiguration>

/** One version of the configuration in its history; without an actor if none was recorded. */
export const StorefrontVersion = z
  .object({
    version: z.int().nonnegative().describe('The `version` of the configuration at that time.'),
    at: Timestamp.describe('When the version was saved, ISO 8601 UTC.'),
    actor: z.string().optional().describe('Id of the admin user or secret key; left out if none was recorded.'),
    restoredFrom: z.int().nonnegative().optional().describe('The earlier version whose content was restored.'),
  })
  .meta({ id: 'StorefrontVersion' })
export type StorefrontVersion = z.output<typeof StorefrontVersion>
