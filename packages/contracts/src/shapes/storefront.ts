import { z } from 'zod'
import { Timestamp } from './common.ts'
import { HomeSection } from './home-section.ts'
import { NotificationsDocument } from './notifications.ts'
import { StoreAddress } from './store-address.ts'
import { CommerceSettings, PricingSettings } from './storefront-commerce.ts'
import { NavigationSettings } from './storefront-navigation.ts'
import { flag, open, text } from './storefront-values.ts'

// The document is stored and read back as it was written: null and the empty text are values that mean "not set".
// Objects are loose, because documents of earlier versions must be readable; a write may use only the names that are
// declared here and in the files of its parts.

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
