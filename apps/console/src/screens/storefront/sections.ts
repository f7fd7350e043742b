import { choice, field, text, titleIn, type Field, type Section } from './fields.ts'
import { homeList, link } from './home-fields.ts'

const menuItem: readonly Field[] = [
  text('label', 'label'),
  field('category', 'categorySlug', 'categoryOfMenu'),
  text('to', 'toOfMenu'),
]

const NAVIGATION: readonly Section[] = [
  {
    name: 'announcement',
    roots: ['navigation.announcement'],
    fields: [field('lines', 'navigation.announcement.messages', 'messages')],
  },
  {
    name: 'navigation',
    roots: ['navigation.primary', 'navigation.footer'],
    fields: [
      {
        kind: 'list',
        path: 'navigation.primary',
        label: 'menu',
        titleOf: (item) => titleIn(item, 'label', 'name', 'categorySlug', 'to'),
        fieldsOf: () => menuItem,
        templates: [{ name: 'menuItem', item: { label: '' } }],
      },
      {
        kind: 'list',
        path: 'navigation.footer',
        label: 'footer',
        titleOf: (item) => titleIn(item, 'title'),
        fieldsOf: () => [
          text('title', 'title'),
          {
            kind: 'list',
            path: 'links',
            label: 'links',
            titleOf: (item) => titleIn(item, 'label', 'to'),
            fieldsOf: () => link,
            templates: [{ name: 'link', item: { label: '', to: '' } }],
          },
        ],
        templates: [{ name: 'column', item: { title: '', links: [] } }],
      },
    ],
  },
  { name: 'home', roots: ['home'], fields: [homeList] },
  {
    name: 'promises',
    roots: ['promises'],
    fields: [
      {
        kind: 'list',
        path: 'promises',
        label: 'promises',
        titleOf: (item) => titleIn(item, 'title'),
        fieldsOf: () => [text('title', 'title'), field('longText', 'body', 'body'), text('icon', 'icon')],
        templates: [{ name: 'promise', item: { icon: 'check', title: '', body: '' } }],
      },
    ],
  },
]

const SALES: readonly Section[] = [
  {
    name: 'shipping',
    roots: [
      'commerce.shippingMethods',
      'commerce.freeShippingOver',
      'commerce.returnsWindowDays',
      'commerce.cutoffHour',
      'commerce.timeZone',
      'commerce.holidays',
      'deliveryPolicy',
    ],
    fields: [
      {
        kind: 'list',
        path: 'commerce.shippingMethods',
        label: 'shippingMethods',
        titleOf: (item) => titleIn(item, 'label', 'id'),
        fieldsOf: () => [
          text('label', 'name'),
          text('note', 'note'),
          field('money', 'price', 'price'),
          field('number', 'workingDays', 'workingDays'),
          text('id', 'id'),
          field('switch', 'pickup', 'pickup'),
          field('switch', 'guaranteed', 'guaranteed'),
        ],
        templates: [{ name: 'shippingMethod', item: { id: '', label: '', price: 0 } }],
      },
      field('money', 'commerce.freeShippingOver', 'freeShippingOver'),
      field('number', 'commerce.returnsWindowDays', 'returnsWindowDays'),
      field('number', 'commerce.cutoffHour', 'cutoffHour'),
      text('commerce.timeZone', 'timeZone'),
      field('lines', 'commerce.holidays', 'holidays'),
      field('lines', 'deliveryPolicy', 'deliveryPolicy'),
    ],
  },
  {
    name: 'countries',
    roots: ['commerce.countries'],
    fields: [field('countries', 'commerce.countries', 'countries')],
  },
  {
    name: 'tax',
    roots: ['commerce.tax', 'pricing.showTaxNote', 'pricing.taxNote'],
    fields: [
      field('percent', 'commerce.tax.defaultRate', 'defaultRate'),
      field('switch', 'commerce.tax.pricesIncludeTax', 'pricesIncludeTax'),
      field('switch', 'commerce.tax.shippingTaxed', 'shippingTaxed'),
      {
        kind: 'list',
        path: 'commerce.tax.rates',
        label: 'rates',
        titleOf: (item) => [titleIn(item, 'country'), titleIn(item, 'region')].filter((part) => part !== '').join(', '),
        fieldsOf: () => [text('country', 'country'), text('region', 'region'), field('percent', 'rate', 'rate')],
        templates: [{ name: 'taxRate', item: { country: '', rate: 0 } }],
      },
      field('switch', 'pricing.showTaxNote', 'showTaxNote'),
      text('pricing.taxNote', 'taxNote'),
    ],
  },
  {
    name: 'checkout',
    roots: ['checkout', 'orders'],
    fields: [
      choice('checkout.mode', 'mode', { demo: 'demo', api: 'api', redirect: 'redirect', razorpay: 'razorpay' }),
      choice('checkout.provider', 'provider', { demo: 'demo', stripe: 'stripe', razorpay: 'razorpay' }),
      text('checkout.publicKey', 'publicKey'),
      field('switch', 'checkout.collectPhone', 'collectPhone'),
      field('switch', 'checkout.requireAccount', 'requireAccount'),
      field('switch', 'checkout.restockOnRefund', 'restockOnRefund'),
      text('checkout.termsUrl', 'termsUrl'),
      text('checkout.successUrl', 'successUrl'),
      text('checkout.cancelUrl', 'cancelUrl'),
      field('plainText', 'orders.numberPrefix', 'numberPrefix'),
    ],
  },
]

const SHOP: readonly Section[] = [
  {
    name: 'store',
    roots: ['store'],
    fields: [
      text('store.name', 'storeName'),
      text('store.logo.wordmark', 'wordmark'),
      text('store.tagline', 'tagline'),
      field('longText', 'store.description', 'description'),
      text('store.email', 'email'),
      field('longText', 'store.address', 'address'),
    ],
  },
  {
    name: 'features',
    roots: ['features'],
    fields: (
      [
        'wishlist',
        'reviews',
        'search',
        'accounts',
        'discountCodes',
        'newsletter',
        'recentlyViewed',
        'currencySwitcher',
        'blog',
        'contactForm',
      ] as const
    ).map((name) => field('switch', `features.${name}`, name)),
  },
  {
    name: 'recommendations',
    roots: ['recommendations'],
    fields: [
      choice('recommendations.strategy', 'strategy', {
        automatic: 'automatic',
        'same-category': 'sameCategory',
        'best-sellers': 'bestSellers',
        manual: 'manual',
        off: 'off',
      }),
      field('number', 'recommendations.limit', 'limit'),
      text('recommendations.title', 'title'),
    ],
  },
  {
    name: 'search',
    roots: ['seo.siteUrl', 'seo.title', 'seo.description', 'seo.titleTemplate', 'seo.indexable'],
    fields: [
      text('seo.siteUrl', 'siteUrl'),
      text('seo.title', 'pageTitle'),
      field('longText', 'seo.description', 'description'),
      text('seo.titleTemplate', 'titleTemplate'),
      field('switch', 'seo.indexable', 'indexable'),
    ],
  },
]

/** The configuration as a merchant thinks of it. What it holds beyond stays as it is. */
export const SECTIONS: readonly Section[] = [...NAVIGATION, ...SALES, ...SHOP]
