import { mediaUrl } from '../pictures/slug.ts'
import { brand } from './brand.ts'

/** Opening days of the carrier are New York's: these are the days it does not collect. */
function holidays(year: number): string[] {
  return [year, year + 1].flatMap((each) => [`${each}-01-01`, `${each}-07-04`, `${each}-11-11`, `${each}-12-25`])
}

const usd = (amount: number): { amount: number; currency: 'USD' } => ({ amount, currency: 'USD' })

const link = (label: string, category: string): { label: string; href: string } => ({
  label,
  href: `/category/${category}`,
})

/** The storefront configuration document. */
export function settings(now: Date) {
  return {
    version: 1,
    store: { name: brand.name, tagline: brand.tagline, logo: { wordmark: 'wrenfold' }, address: brand.address },
    pricing: { currency: 'USD', locale: 'en-US', currencies: ['USD'] },
    commerce: {
      freeShippingOver: 15000,
      shippingMethods: [
        { id: 'standard', label: 'Standard, 3 working days', price: usd(695), workingDays: 3 },
        { id: 'express', label: 'Express, next working day', price: usd(1495), workingDays: 1 },
      ],
      countries: ['US', 'CA', 'GB', 'IE', 'DE', 'FR', 'NL', 'AT', 'DK', 'SE', 'NO', 'AU'],
      cutoffHour: 14,
      timeZone: 'America/New_York',
      holidays: holidays(now.getUTCFullYear()),
      tax: { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false },
    },
    features: { wishlist: true, reviews: true },
    navigation: {
      primary: [
        {
          ...link('Women', 'women'),
          children: [
            link('Shirts & Blouses', 'women-shirts'),
            link('Knitwear', 'women-knitwear'),
            link('Dresses', 'women-dresses'),
            link('Trousers & Jeans', 'women-bottoms'),
            link('Jackets & Coats', 'women-outerwear'),
          ],
        },
        {
          ...link('Men', 'men'),
          children: [
            link('Shirts', 'men-shirts'),
            link('Knitwear', 'men-knitwear'),
            link('Sweatshirts & Hoodies', 'men-sweatshirts'),
            link('Trousers & Jeans', 'men-bottoms'),
            link('Jackets & Coats', 'men-outerwear'),
          ],
        },
        {
          ...link('Accessories', 'accessories'),
          children: [
            link('Hats, Scarves & Gloves', 'headwear-scarves'),
            link('Bags & Belts', 'bags-belts'),
            link('Shoes & Socks', 'footwear'),
          ],
        },
        link('Kids', 'kids'),
        { label: 'First Frost', href: '/collection/first-frost' },
      ],
      footer: [
        {
          label: 'Shop',
          children: [
            link('Women', 'women'),
            link('Men', 'men'),
            link('Accessories', 'accessories'),
            link('Kids', 'kids'),
          ],
        },
        {
          label: 'Help',
          children: [
            { label: 'Find an order', href: '/orders/lookup' },
            { label: 'Shipping & returns', href: '/pages/shipping' },
            { label: 'Size guide', href: '/pages/size-guide' },
            { label: 'Repairs', href: '/pages/repairs' },
          ],
        },
        {
          label: 'Wrenfold',
          children: [
            { label: 'Our workshops', href: '/pages/workshops' },
            { label: 'Fibres', href: '/pages/fibres' },
          ],
        },
      ],
      announcement: {
        messages: [
          'Free shipping over $150',
          'Mended free for five years',
          'New here? WELCOME10 takes ten percent off',
        ],
      },
    },
    home: [
      {
        type: 'hero',
        eyebrow: 'Autumn, second half',
        title: 'First Frost',
        body: 'Undyed wool, double-faced coats and one very good scarf. Warm enough to take the long way home.',
        image: {
          url: mediaUrl('demo/hero-first-frost.svg'),
          alt: 'An ecru roll-neck sweater and a madder check scarf on a clothes rail',
          width: 1200,
          height: 1500,
        },
        cta: { label: 'Shop the collection', href: '/collection/first-frost' },
      },
      { type: 'product-rail', id: 'new-in', title: 'New this month', source: { sort: 'newest', limit: 8 } },
      {
        type: 'collections',
        title: 'Worn together',
        collections: ['first-frost', 'desk-to-dinner', 'essentials', 'gifts'],
      },
      { type: 'product-rail', id: 'featured', title: 'What we reach for', source: { sort: 'featured', limit: 8 } },
      {
        type: 'product-rail',
        id: 'knitwear',
        title: 'Knitwear, from fine to deep',
        source: { sort: 'rating', category: 'women-knitwear', limit: 4 },
      },
      {
        type: 'product-rail',
        id: 'frost-rail',
        title: 'From First Frost',
        source: { sort: 'featured', collection: 'first-frost', limit: 6 },
      },
      {
        type: 'product-rail',
        id: 'gifts',
        title: 'Easy to wrap',
        source: { sort: 'price-asc', tags: ['gift'], limit: 8 },
      },
      { type: 'product-rail', id: 'again', title: 'Before you go', source: { sort: 'featured', limit: 8 } },
    ],
    recommendations: { strategy: 'automatic', limit: 4 },
    checkout: { mode: 'demo', createUrl: '' },
    promises: [
      { icon: 'return', title: 'Sixty days to decide', body: 'Wear it indoors, sleep on it, send it back free.' },
      { icon: 'repair', title: 'Mended for five years', body: 'Holes, hems, buttons and zips, on us.' },
      { icon: 'leaf', title: 'Named workshops', body: 'Nine of them. Every label says which one.' },
      { icon: 'truck', title: 'Free over $150', body: 'Plain paper parcels, no plastic inside.' },
    ],
    orders: { numberPrefix: 'SF-' },
  }
}
