import { pictureUrl } from '../pictures.ts'
import { brand } from './brand.ts'

/** The holidays of New York, on which the carrier does not collect. */
function holidays(year: number): string[] {
  return [year, year + 1].flatMap((each) => [`${each}-01-01`, `${each}-07-04`, `${each}-11-11`, `${each}-12-25`])
}

interface Link {
  label: string
  to: string
}

const category = (label: string, slug: string): Link => ({ label, to: `/shop/${slug}` })
const collection = (label: string, slug: string): Link => ({ label, to: `/collections/${slug}` })

/** The storefront configuration document, in the shapes that the storefront renders. */
export function settings(now: Date) {
  return {
    version: 1,
    store,
    pricing,
    commerce: commerce(now),
    features,
    navigation,
    home,
    recommendations,
    checkout,
    deliveryPolicy,
    promises,
    orders: { numberPrefix: 'SF-' },
  }
}

const store = {
  name: brand.name,
  tagline: brand.tagline,
  description: 'Shirts, knitwear and coats from nine named workshops, mended free for five years.',
  logo: { wordmark: 'wrenfold', imageUrl: null },
  email: 'hello@wrenfold.example',
  address: brand.address,
}

const pricing = {
  currency: 'USD',
  locale: 'en-US',
  currencies: [{ code: 'USD', label: 'US Dollar', symbol: '$' }],
  showTaxNote: true,
  taxNote: 'Prices do not include tax. The total includes 8 percent tax.',
}

function commerce(now: Date) {
  return {
    freeShippingOver: 15000,
    returnsWindowDays: 60,
    shippingMethods: [
      { id: 'standard', label: 'Standard', note: '3 working days', price: 695, workingDays: 3 },
      { id: 'express', label: 'Express', note: 'Next working day', price: 1495, workingDays: 1 },
    ],
    countries: [
      ['US', 'United States'],
      ['CA', 'Canada'],
      ['GB', 'United Kingdom'],
      ['IE', 'Ireland'],
      ['DE', 'Germany'],
      ['FR', 'France'],
      ['NL', 'Netherlands'],
      ['AT', 'Austria'],
      ['DK', 'Denmark'],
      ['SE', 'Sweden'],
      ['NO', 'Norway'],
      ['AU', 'Australia'],
    ] satisfies [string, string][],
    cutoffHour: 14,
    timeZone: 'America/New_York',
    holidays: holidays(now.getUTCFullYear()),
    tax: { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false },
  }
}

const features = {
  wishlist: true,
  reviews: true,
  search: true,
  accounts: true,
  discountCodes: true,
  newsletter: true,
  recentlyViewed: true,
  docsLink: 'auto',
}

const navigation = {
  primary: [
    { label: 'Women', categorySlug: 'women' },
    { label: 'Men', categorySlug: 'men' },
    { label: 'Accessories', categorySlug: 'accessories' },
    category('Kids', 'kids'),
    {
      ...collection('First Frost', 'first-frost'),
      children: [collection('Desk to dinner', 'desk-to-dinner'), collection('Gifts', 'gifts')],
    },
  ],
  footer: [
    {
      title: 'Shop',
      links: [
        category('Women', 'women'),
        category('Men', 'men'),
        category('Accessories', 'accessories'),
        category('Kids', 'kids'),
        { label: 'Everything', to: '/shop' },
      ],
    },
    {
      title: 'Your orders',
      links: [
        { label: 'Find an order', to: '/orders/lookup' },
        { label: 'Your account', to: '/account' },
        { label: 'Saved items', to: '/wishlist' },
        { label: 'Your bag', to: '/cart' },
      ],
    },
    {
      title: 'Help',
      links: [
        { label: 'Shipping & returns', to: '/pages/shipping' },
        { label: 'Size guide', to: '/pages/size-guide' },
        { label: 'Fabric & care', to: '/pages/care' },
        { label: 'Contact', to: '/pages/contact' },
      ],
    },
  ],
  announcement: {
    messages: ['Free shipping over $150', 'Mended free for five years', 'New here? WELCOME10 takes ten percent off'],
  },
}

const home = [
  {
    type: 'hero',
    eyebrow: 'Autumn, second half',
    title: 'First Frost',
    body: 'Undyed wool, double-faced coats and one very good scarf. Warm enough to take the long way home.',
    image: {
      url: pictureUrl('hero-first-frost'),
      alt: 'An ecru roll-neck sweater and a madder check scarf on a clothes rail',
    },
    focal: '50% 40%',
    actions: [
      { ...collection('Shop the collection', 'first-frost'), variant: 'accent' },
      { label: 'New this month', to: '/shop?sort=newest', variant: 'outline' },
    ],
  },
  {
    type: 'category-strip',
    title: 'Where to begin',
    ctaLabel: 'Everything',
    ctaTo: '/shop',
    source: { parent: null, limit: 4 },
  },
  {
    type: 'product-rail',
    title: 'New this month',
    ctaLabel: 'See all',
    ctaTo: '/shop?sort=newest',
    source: { sort: 'newest', limit: 8 },
  },
  { type: 'collection-grid', title: 'Worn together', source: { limit: 3 } },
  {
    type: 'product-rail',
    title: 'What we reach for',
    ctaLabel: 'Everything',
    ctaTo: '/shop',
    source: { sort: 'featured', limit: 8 },
  },
  {
    type: 'editorial',
    eyebrow: 'Nine workshops',
    title: 'Every label says who made it.',
    body: [
      'We know the farm, the spinner and the mill, and we print all three on the label.',
      'When a seam gives way, send it back: we mend what we made, free, for five years.',
    ],
    image: {
      url: pictureUrl('collection-essentials'),
      alt: 'A white tee and a grey hoodie on a clothes rail',
    },
    action: collection('The essentials', 'essentials'),
  },
  {
    type: 'product-rail',
    title: 'Knitwear, from fine to deep',
    ctaLabel: 'All knitwear',
    ctaTo: '/shop/women-knitwear',
    source: { sort: 'rating', category: 'women-knitwear', limit: 4 },
  },
  {
    type: 'product-rail',
    title: 'Easy to wrap',
    ctaLabel: 'All gifts',
    ctaTo: '/collections/gifts',
    source: { sort: 'price-asc', tags: ['gift'], limit: 8 },
  },
  {
    type: 'product-rail',
    title: 'Before you go',
    ctaLabel: 'Everything',
    ctaTo: '/shop',
    source: { sort: 'featured', limit: 8 },
  },
  { type: 'promises' },
]

const recommendations = {
  strategy: 'automatic',
  limit: 4,
  title: 'You might also like',
  inCart: { enabled: true, title: 'Goes with this', limit: 3, strategy: 'same-category' },
}

const checkout = {
  mode: 'demo',
  provider: null,
  publicKey: '',
  createUrl: '/carts/:cartId/checkout',
  verifyUrl: '/payments/verify',
  successUrl: '/order/:orderId',
  cancelUrl: '/cart',
  collectPhone: true,
  requireAccount: false,
  // The demo shop has no page of terms.
  termsUrl: null,
  restockOnRefund: true,
}

const deliveryPolicy = [
  'Standard shipping is {shipping}, free over {freeOver}. What you order before 2 pm in New York leaves the same working day.',
  'Send it back within {returnsDays} days, worn once indoors or not at all. The label is in the parcel.',
]

const promises = [
  { icon: 'refresh', title: 'Sixty days to decide', body: 'Wear it indoors, sleep on it, send it back free.' },
  { icon: 'award', title: 'Mended for five years', body: 'Holes, hems, buttons and zips, on us.' },
  { icon: 'leaf', title: 'Named workshops', body: 'Nine of them. Every label says which one.' },
  { icon: 'truck', title: 'Free over $150', body: 'Plain paper parcels, no plastic inside.' },
]
