import { z } from 'zod'
import { MAX_PRICE_MINOR } from '../money.ts'
import { Timestamp } from './common.ts'
import { NotificationsDocument } from './notifications.ts'

// The document is stored and read back as it was written: null and the empty text are values that mean "not set". Objects
// are loose, because what a version before stored must be readable; names that a write may use are those declared here.

const text = (description: string) => z.string().describe(description).nullish()
const flag = (description: string) => z.boolean().describe(description).nullish()
/** For parts that only storefronts read, and whose names they choose. */
const open = (description: string) => z.record(z.string(), z.unknown()).describe(description).nullish()

const Image = z
  .looseObject({
    url: text('An https address, or a path on this server such as `/media/hero.webp`.'),
    alt: text('What the picture shows, for those who do not see it.'),
    width: z.int().describe('In pixels.').nullish(),
    height: z.int().describe('In pixels.').nullish(),
  })
  .meta({ id: 'StorefrontImage' })

const Link = z
  .looseObject({
    label: text('What the shopper reads.'),
    to: text('Where it leads: a path of the storefront such as `/shop/women`, or an address.'),
    variant: text('How a button looks: `accent` or `outline`.'),
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
    label: text('What the shopper reads.'),
    to: text('Where it leads, such as `/shop?sort=newest`. Left out for an entry with a `categorySlug`.'),
    categorySlug: text('The slug of a category: the entry leads there, and its categories become the submenu.'),
    slug: text('Of a category in a submenu, in place of `to`.'),
    name: text('Of a category in a submenu, in place of `label`.'),
    children: z
      .lazy(() => z.array(NavigationItem))
      .describe('The entries of its submenu.')
      .nullish(),
  })
  .meta({ id: 'NavigationItem' })

const FooterColumn = z
  .looseObject({
    title: text('The heading of the column.'),
    links: z.array(Link).describe('Its links, from top to bottom.').nullish(),
  })
  .meta({ id: 'FooterColumn' })

/** Which products a rail shows; also what its key in `rails` of GET /bootstrap is made of. */
export const RailSource = z
  .looseObject({
    sort: text('As `sort` of GET /products.'),
    category: text('The slug of a category.'),
    collection: text('The slug of a collection.'),
    tags: z
      .union([z.string(), z.array(z.string())])
      .describe('Tags, as a list or joined by commas.')
      .nullish(),
    limit: z.int().positive().describe('How many products, categories or collections are shown.').nullish(),
    parent: text('Of a category strip: the slug of the category whose children are shown; null for the top level.'),
  })
  .meta({ id: 'RailSource' })
export type RailSource = z.output<typeof RailSource>

/** Sections that the storefront draws. Those of other types it leaves out, and their fields are nobody's but theirs. */
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
      .describe(`One of ${HOME_SECTION_TYPES.join(', ')}. Sections of any other type are kept, and not drawn.`),
    id: text('A name of its own, for links to the section.'),
    eyebrow: text('A short line above the title.'),
    title: text('The heading.'),
    body: z
      .union([z.string(), z.array(z.string())])
      .describe('The text; of an editorial section one text for each paragraph.')
      .nullish(),
    image: Image.describe('The picture of a hero or an editorial section.').nullish(),
    focal: text('The point of the picture that stays visible when it is cropped, such as `50% 35%`.'),
    actions: z.array(Link).describe('The buttons of a hero.').nullish(),
    action: Link.describe('The button of an editorial or rich-text section.').nullish(),
    ctaLabel: text('What the link beside the title says.'),
    ctaTo: text('Where the link beside the title leads.'),
    source: RailSource.describe('What a strip, rail or grid shows.').nullish(),
  })
  .meta({ id: 'HomeSection' })
export type HomeSection = z.output<typeof HomeSection>

const addressPart = (what: string) => z.string().max(200).describe(what).nullish()
/** Where the shop is, for the foot of its mails. */
export const StoreAddress = z
  .union(
    [
      z.string().max(500),
      z.looseObject({
        name: addressPart('The name of the company.'),
        line1: addressPart('Street and number.'),
        line2: addressPart('What else the street needs, such as a floor.'),
        city: addressPart('The town.'),
        region: addressPart('The state or province.'),
        postalCode: addressPart('The postal code.'),
        country: addressPart('The country, as it is to be printed.'),
      }),
    ],
    'must be a text of up to 500 characters, or an object with name, line1, line2, city, region, postalCode and country',
  )
  .describe('Where the shop is, at the foot of its mails: a text of several lines, or its parts.')
export type StoreAddress = z.output<typeof StoreAddress>

const StoreSettings = z
  .looseObject({
    name: text('The name of the shop, in the header, in page titles and in mails.'),
    tagline: text('One sentence about the shop.'),
    description: text('What search engines show under the name.'),
    logo: z
      .looseObject({
        wordmark: text('The name as the logo writes it.'),
        mark: text('Which of its own marks the storefront draws.'),
        imageUrl: text('A picture in the place of the drawn mark.'),
        height: z.number().describe('In pixels.').nullish(),
      })
      .describe('What stands in the head of every page.')
      .nullish(),
    email: text('Where customers write to.'),
    address: StoreAddress.nullish(),
    contact: open('Further ways to reach the shop, such as `phone` and `address`.'),
    credit: flag('Whether the footer names who made the storefront.'),
  })
  .describe('Who the shop is.')

const PricingSettings = z
  .looseObject({
    currency: text('The ISO 4217 code of the currency of every price. USD while it is not set.'),
    locale: text('How amounts and dates are written: a BCP 47 tag such as `en-US`.'),
    currencies: z
      .array(
        z
          .looseObject({
            code: z.string().describe('The ISO 4217 code.'),
            label: text('Its name.'),
            symbol: text('Its sign.'),
            decimals: z.int().min(0).max(4).describe('Digits after the decimal point.').nullish(),
            position: text('`before` or `after` the amount.'),
            pricelistId: z
              .union([z.string(), z.number()])
              .describe('For storefronts with several price lists.')
              .nullish(),
          })
          .meta({ id: 'CurrencyChoice' }),
      )
      .describe('Currencies that a storefront offers for display.')
      .nullish(),
    showTaxNote: flag('Whether `taxNote` stands under the totals of the bag.'),
    taxNote: text('One sentence about taxes.'),
  })
  .describe('Money.')

const CommerceSettings = z
  .looseObject({
    freeShippingOver: z
      .int()
      .nonnegative()
      .describe('From this amount on, in minor units, the first shipping method costs nothing; null for never.')
      .nullish(),
    returnsWindowDays: z.int().nonnegative().describe('For how many days goods can be sent back.').nullish(),
    shippingMethods: z
      .array(
        z
          .looseObject({
            id: z.string().min(1).describe('What a checkout names it by.'),
            label: text('Its name for the shopper.'),
            note: text('One line about it, such as how long it takes.'),
            price: z
              .int('must be a whole number of minor units in the currency of the shop')
              .nonnegative()
              .max(MAX_PRICE_MINOR)
              .describe('In minor units of the currency of the shop.'),
            workingDays: z
              .int()
              .nonnegative()
              .describe('How long it takes; 3 while it is not set, 1 for `express`.')
              .nullish(),
            guaranteed: flag('Whether the day of arrival is promised.'),
            pickup: flag('Whether the goods are collected at a shop.'),
            slots: flag('Whether the shopper chooses a time.'),
          })
          .meta({ id: 'ShippingMethodSetting' }),
      )
      .describe('In the order in which shoppers see them; a bag is priced with the first until one is chosen.')
      .nullish(),
    countries: z
      .array(z.tuple([z.string(), z.string()]))
      .describe('Where the shop delivers to: pairs of ISO 3166-1 code and name. Everywhere while there are none.')
      .nullish(),
    cutoffHour: z
      .int()
      .min(0)
      .max(23)
      .describe('The hour until which orders are sent the same day; 14 while it is not set.')
      .nullish(),
    timeZone: text('The time zone of `cutoffHour`, such as `Europe/Paris`; UTC while it is not set.'),
    holidays: z.array(z.string()).describe('Days on which nothing is sent, such as `2026-12-25`.').nullish(),
    tax: z
      .looseObject({
        defaultRate: z
          .int()
          .nonnegative()
          .describe('Basis points where no other rate applies: 800 is 8 percent.')
          .nullish(),
        rates: z
          .array(
            z.looseObject({
              country: z.string().describe('ISO 3166-1 code.'),
              region: text('The region as the address names it; left out for the whole country.'),
              rate: z.int().nonnegative().max(100_000).describe('Basis points.'),
            }),
          )
          .describe('Rates of countries and regions.')
          .nullish(),
        pricesIncludeTax: flag('Whether prices hold the tax already.'),
        shippingTaxed: flag('Whether shipping is taxed, too.'),
      })
      .describe('How orders are taxed; not at all while it is not set.')
      .nullish(),
    stock: open('How a storefront shows stock.'),
  })
  .describe('Delivery and tax.')

const FeatureSettings = z
  .looseObject({
    wishlist: flag('Saved products.'),
    reviews: flag('Reviews; when it is false the shop takes none.'),
    search: flag('The search field.'),
    accounts: flag('Signing in.'),
    discountCodes: flag('The field for discount codes.'),
    newsletter: flag('The sign-up for the newsletter.'),
    recentlyViewed: flag('What the visitor looked at.'),
    currencySwitcher: flag('The choice of a currency.'),
    blog: flag('The blog.'),
    contactForm: flag('The contact form.'),
    docsLink: z
      .union([z.boolean(), z.literal('auto')])
      .describe('Whether the footer links to the documentation; `auto` leaves it to the storefront.')
      .nullish(),
  })
  .describe('Parts of the storefront that can be switched off.')

const NavigationSettings = z
  .looseObject({
    primary: z.array(NavigationItem).describe('The menu; an empty list makes it of the categories.').nullish(),
    footer: z.array(FooterColumn).describe('The columns of the footer.').nullish(),
    announcement: z
      .looseObject({ messages: z.array(z.string()).describe('Shown in turn.').nullish() })
      .describe('The strip above the header; null for none.')
      .nullish(),
  })
  .describe('Menus.')

const RecommendationSettings = z
  .looseObject({
    strategy: text('How related products are found: automatic, same-category, best-sellers, manual, api or off.'),
    limit: z.int().describe('How many are shown.').nullish(),
    title: text('The heading above them.'),
    inCart: z
      .looseObject({
        enabled: flag('Whether the bag shows them.'),
        title: text('The heading above them.'),
        limit: z.int().describe('How many are shown.').nullish(),
        strategy: text('As `strategy` above.'),
      })
      .describe('Recommendations in the bag.')
      .nullish(),
  })
  .describe('“You might also like”.')

const CheckoutSettings = z
  .looseObject({
    mode: text('demo, api, redirect or razorpay: what `POST /carts/:id/checkout` does. demo while it is not set.'),
    provider: text('Who takes the money in the mode redirect: demo, stripe or razorpay. demo while it is not set.'),
    publicKey: text('The public half of the provider’s key, such as `rzp_live_…`. The secret half is a credential.'),
    createUrl: text(
      'Where the storefront sends a checkout; our own route, `/carts/:cartId/checkout`, while it is not set.',
    ),
    verifyUrl: text('Where the storefront sends what Razorpay reported; `/payments/verify` while it is not set.'),
    successUrl: text('Where the buyer comes back to after paying.'),
    cancelUrl: text('Where the buyer comes back to after giving up.'),
    collectPhone: flag('Whether the checkout has a field for a telephone number.'),
    requireAccount: flag('Whether the storefront has shoppers sign in first.'),
    termsUrl: text('The page with the terms.'),
    restockOnRefund: flag('Whether a full refund puts the goods back into stock. True while it is not set.'),
  })
  .describe('Checkout and payment.')

const SearchEngineSettings = z
  .looseObject({
    siteUrl: text('The address of the storefront.'),
    indexable: flag('Whether search engines may list it.'),
    disallow: z.array(z.string()).describe('Paths that crawlers stay away from.').nullish(),
    aiCrawlers: text('allow, block or custom.'),
    crawlers: z.record(z.string(), z.unknown()).describe('Crawlers by name, when `aiCrawlers` is custom.').nullish(),
    sitemapImages: flag('Whether pictures stand in the sitemap.'),
    title: text('The title of the home page.'),
    description: text('What search engines show of it.'),
    titleTemplate: text('How titles of other pages are made, such as `{title} | {store}`.'),
    image: z.unknown().describe('The picture of shared links.'),
  })
  .describe('Search engines.')

const AnalyticsSettings = z
  .looseObject({
    enabled: flag('Whether events are collected.'),
    respectDoNotTrack: flag('Whether visitors who ask not to be tracked are left out.'),
    debug: flag('Whether events are only written to the console.'),
    providers: open('Identifiers of tags by provider.'),
    serverPurchase: open('Which providers learn of purchases from the server.'),
  })
  .describe('Analytics of the storefront.')

const TrustSettings = z
  .looseObject({
    payments: z.array(z.string()).describe('Ways to pay that stand beside the buy button.').nullish(),
    assurances: z
      .array(
        z.looseObject({
          icon: text('One of `icons` of GET /attributes, or an address.'),
          label: text('What is assured.'),
          note: text('What stands behind it, shown on demand.'),
        }),
      )
      .describe('Shown under the buy button of products that have none of their own.')
      .nullish(),
    repairs: flag('Whether a line says that goods are repaired.'),
    showCertifications: flag('Whether certifications are shown.'),
    showFitFeedback: flag('Whether buyers’ words on the fit are shown.'),
    showSocialProof: flag('Whether counts of purchases and saves are shown.'),
    socialProofThresholds: z
      .looseObject({
        bought: z.int().describe('Purchases below which nothing is shown.').nullish(),
        saved: z.int().describe('Saves below which nothing is shown.').nullish(),
      })
      .describe('Below these counts nothing is shown.')
      .nullish(),
  })
  .describe('What stands beside the buy button.')

const StorePromise = z
  .looseObject({
    icon: text('One of `icons` of GET /attributes.'),
    title: text('The promise.'),
    body: text('One sentence about it.'),
  })
  .meta({ id: 'StorePromise' })

/**
 * The document a merchant edits, in the shapes that the storefront draws. The specification names its keys; the shapes are
 * decided in docs/decisions/0053.
 */
export const StorefrontConfiguration = z
  .looseObject({
    version: z.int().nonnegative().describe('Counts the changes of this document; set by the shop.').optional(),
    store: StoreSettings.nullish(),
    pricing: PricingSettings.nullish(),
    commerce: CommerceSettings.nullish(),
    features: FeatureSettings.nullish(),
    navigation: NavigationSettings.nullish(),
    home: z
      .array(HomeSection)
      .describe('The sections of the home page, from top to bottom; an empty list for none.')
      .nullish(),
    recommendations: RecommendationSettings.nullish(),
    checkout: CheckoutSettings.nullish(),
    orders: z
      .looseObject({
        numberPrefix: z
          .string()
          .max(20)
          .describe('What order numbers begin with; `SF-` while it is not set.')
          .nullish(),
      })
      .describe('Orders.')
      .nullish(),
    promises: z.array(StorePromise).describe('What the shop promises on every page.').nullish(),
    notifications: NotificationsDocument.describe('Mails about orders. Visitors do not get this part.').nullish(),
    seo: SearchEngineSettings.nullish(),
    analytics: AnalyticsSettings.nullish(),
    trust: TrustSettings.nullish(),
    deliveryPolicy: z
      .array(z.string())
      .describe('Paragraphs about delivery and returns; {shipping}, {freeOver} and {returnsDays} are filled in.')
      .nullish(),
    media: open('How a storefront asks for pictures.'),
    i18n: open('Languages of the storefront.'),
    uiStrings: open('Words of the storefront by language.'),
    theme: open('Colors and type of the storefront.'),
    consent: open('The consent banner of the storefront.'),
    access: open('Who may see the storefront.'),
    security: open('Protection of the storefront’s forms.'),
    extensions: open('For whatever else a storefront needs: any keys, stored and read back.'),
  })
  .meta({ id: 'StorefrontConfiguration' })
export type StorefrontConfiguration = z.output<typeof StorefrontConfiguration>

/** One version of the configuration in its history; without an actor where nobody was noted. */
export const StorefrontVersion = z
  .object({
    version: z.int().nonnegative(),
    at: Timestamp,
    actor: z.string().optional(),
    /** The version whose content this one brought back. */
    restoredFrom: z.int().nonnegative().optional(),
  })
  .meta({ id: 'StorefrontVersion' })
export type StorefrontVersion = z.output<typeof StorefrontVersion>
