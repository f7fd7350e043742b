import type { Json } from './replies.ts'

/**
 * A configuration as the settings page of the storefront sends it: complete, with null and empty texts for unset
 * fields.
 */
export const DOCUMENT: Json = {
  store: {
    name: 'Atelier',
    tagline: 'Made slowly.',
    description: 'Clothes made slowly.',
    logo: { wordmark: 'ATELIER', mark: 'loom', imageUrl: null, height: 22 },
    email: 'help@atelier.example',
  },
  pricing: {
    currency: 'USD',
    locale: 'en-US',
    currencies: [
      { code: 'USD', label: 'US Dollar', symbol: '$' },
      { code: 'EUR', label: 'Euro', symbol: '€', decimals: 2, position: 'after' },
    ],
    showTaxNote: true,
    taxNote: 'Tax is calculated at checkout.',
  },
  commerce: {
    freeShippingOver: 15000,
    returnsWindowDays: 30,
    shippingMethods: [
      { id: 'standard', label: 'Standard', note: '2–4 working days', price: 1200 },
      { id: 'express', label: 'Express', note: 'Next working day', price: 2400 },
    ],
    countries: [
      ['US', 'United States'],
      ['GB', 'United Kingdom'],
    ],
  },
  features: {
    wishlist: true,
    reviews: true,
    search: true,
    accounts: true,
    discountCodes: true,
    newsletter: true,
    recentlyViewed: true,
    docsLink: 'auto',
  },
  navigation: {
    primary: [
      { label: 'New', to: '/shop?sort=newest' },
      { label: 'Women', categorySlug: 'women' },
      { label: 'Sale', to: '/shop?tags=sale', children: [{ label: 'Linen', to: '/shop?tags=linen' }] },
    ],
    footer: [{ title: 'Shop', links: [{ label: 'All products', to: '/shop' }] }],
    announcement: null,
  },
  home: [
    {
      type: 'hero',
      eyebrow: 'Autumn',
      title: 'Made to be kept.',
      body: 'Twenty-four pieces.',
      image: { url: '/images/hero.jpg', alt: 'Layers in neutral tones' },
      focal: '50% 35%',
      actions: [{ label: 'Shop everything', to: '/shop', variant: 'accent' }],
    },
    { type: 'category-strip', title: 'Categories', source: { parent: null, limit: 6 } },
    { type: 'product-rail', title: 'New', ctaLabel: 'See all', ctaTo: '/shop', source: { sort: 'newest', limit: 4 } },
    {
      type: 'editorial',
      title: 'A garment is mostly decisions.',
      body: ['One paragraph.', 'And another.'],
      image: { url: '/images/craft.jpg', alt: 'A tailor at work' },
      action: { label: 'See more', to: '/collections/first-frost' },
    },
    { type: 'collection-grid', title: 'Collections', source: { limit: 3 } },
    { type: 'rich-text', title: 'A word', body: 'In the middle.' },
    { type: 'promises' },
    { type: 'of-a-newer-version', items: [{ question: 'Kept?' }] },
  ],
  recommendations: {
    strategy: 'automatic',
    limit: 4,
    title: 'You might also like',
    inCart: { enabled: true, title: 'Goes with this', limit: 3, strategy: 'same-category' },
  },
  checkout: {
    mode: 'demo',
    provider: null,
    publicKey: '',
    createUrl: '/carts/:cartId/checkout',
    verifyUrl: '/payments/verify',
    successUrl: '/order/:orderId',
    cancelUrl: '/cart',
    collectPhone: true,
    requireAccount: false,
    termsUrl: '/pages/shipping',
    restockOnRefund: true,
  },
  seo: {
    siteUrl: '',
    indexable: true,
    disallow: ['/checkout', '/account'],
    aiCrawlers: 'allow',
    crawlers: { ABot: true, 'B-Bot': false },
    sitemapImages: true,
  },
  analytics: { enabled: false, respectDoNotTrack: true, debug: false },
  notifications: {
    enabled: true,
    from: 'orders@atelier.example',
    replyTo: '',
    transport: 'smtp',
    smtp: { host: '', port: 465, secure: true, user: '' },
    endpoint: '',
    events: { orderPlaced: true, paymentCaptured: true, shipped: true, refunded: true, cancelled: true },
  },
  trust: {
    payments: ['Visa', 'PayPal'],
    assurances: [
      { icon: 'refresh', label: '30-day returns', note: 'Unworn, tags attached.' },
      { icon: 'shield', label: 'Guarantee' },
    ],
    repairs: true,
    showCertifications: true,
    showFitFeedback: true,
    showSocialProof: true,
    socialProofThresholds: { bought: 25, saved: 20 },
  },
  deliveryPolicy: ['Standard shipping is {shipping}, free over {freeOver}.'],
  promises: [{ icon: 'truck', title: 'Free shipping', body: 'Tracked.' }],
}
