import type { ProductInput } from '@storefront/contracts'

type Enrichment = NonNullable<ProductInput['enrichment']>

/** One garment as the merchandiser writes it down; `build-product.ts` makes variants, pictures and dates of it. */
export interface Item {
  slug: string
  /** Starts every SKU. */
  code: string
  title: string
  subtitle: string
  description: string
  details: string[]
  care: string[]
  price: number
  was?: number
  /** The color of the cloth, by the name on the label. */
  colors: Record<string, string>
  sizes: string[]
  /** The sizes a color is made in, where it is not all of them. */
  only?: Record<string, string[]>
  /** A price of its own for a size or a color, in minor units. */
  prices?: Record<string, number>
  stock?: 'plenty' | 'normal' | 'none'
  /** Exact counts by "Color/Size" or by color, size or "*". */
  counts?: Record<string, number>
  categories: string[]
  tags: string[]
  /** Days since it was first in the shop. */
  age: number
  /** The second picture of each color is a close-up instead of the back. */
  closeUp?: true
  fit?: NonNullable<ProductInput['fit']>
  fabric?: NonNullable<ProductInput['fabric']>
  chart?: string
  enrichment?: Enrichment
  related?: string[]
  position?: number
  badges?: string[]
  draft?: boolean
}

export const sizes = {
  women: ['XS', 'S', 'M', 'L', 'XL'],
  men: ['S', 'M', 'L', 'XL', 'XXL'],
  waist: ['28', '30', '32', '34', '36', '38'],
  womenWaist: ['24', '26', '28', '30', '32', '34'],
  shoes: ['36', '37', '38', '39', '40', '41', '42', '43', '44', '45'],
  kids: ['2-3Y', '4-5Y', '6-7Y', '8-9Y'],
  pair: ['S/M', 'L/XL'],
  one: ['One size'],
}

/** How to care for products, by what they are made of. */
export const care = {
  machine: [
    'Machine wash at 30 °C with like colours',
    'Line dry in the shade',
    'Warm iron on the reverse',
    'Do not bleach',
  ],
  linen: [
    'Machine wash at 30 °C, gentle spin',
    'Line dry; smooth the seams by hand while damp',
    'Iron damp, or enjoy the creases',
  ],
  wool: [
    'Hand wash in cool water with wool soap',
    'Press in a towel and dry flat',
    'Air between wears; it rarely needs more',
    'Store folded, with cedar',
  ],
  denim: [
    'Wash inside out at 30 °C, as seldom as you can',
    'Line dry',
    'Indigo may rub off on pale upholstery at first',
  ],
  tailoring: ['Dry clean only', 'Brush after wearing and rest on a wide hanger', 'Steam rather than press'],
  silk: [
    'Hand wash cool with a silk detergent',
    'Do not wring; roll in a towel',
    'Cool iron on the reverse while damp',
  ],
  outer: [
    'Sponge clean small marks',
    'Machine wash at 30 °C with a technical detergent',
    'Tumble dry low to renew the water repellency',
  ],
  leather: [
    'Wipe with a soft dry cloth',
    'Condition twice a year with a neutral balm',
    'Keep away from radiators; stuff with paper when wet',
  ],
  canvas: ['Spot clean with mild soap', 'Do not machine wash', 'Dry away from direct heat'],
}

export const certificates = {
  oeko: 'OEKO-TEX Standard 100',
  gots: 'GOTS organic',
  linen: 'European Flax',
  rws: 'Responsible Wool Standard',
  lwg: 'Leather Working Group Gold',
  grs: 'Global Recycled Standard',
  fsc: 'FSC certified viscose',
}

/** The workshops the label sews with. */
export const makers = {
  minho: { name: 'Ateliê Ribeira', location: 'Guimarães, Portugal' },
  porto: { name: 'Malhas do Cávado', location: 'Barcelos, Portugal' },
  vilnius: { name: 'Lino Namai', location: 'Kaunas, Lithuania' },
  borders: { name: 'Teviot Row Knitters', location: 'Hawick, Scotland' },
  marche: { name: 'Calzaturificio Alba', location: 'Civitanova Marche, Italy' },
  izmir: { name: 'Körfez Denim', location: 'İzmir, Türkiye' },
  prato: { name: 'Sartoria Bisenzio', location: 'Prato, Italy' },
  tirupur: { name: 'Noyyal Jersey Works', location: 'Tiruppur, India' },
  leeds: { name: 'Aire Street Outerwear', location: 'Leeds, England' },
}

export const cards = {
  seams: {
    icon: 'sparkle',
    title: 'Felled seams',
    body: 'Every raw edge is folded away and stitched twice, so nothing frays in the wash.',
  },
  buttons: {
    icon: 'check',
    title: 'Spare buttons inside',
    body: 'Two spares are sewn into the side seam. You will find them in year four, when you need them.',
  },
  traceable: {
    icon: 'leaf',
    title: 'Fibre we can trace',
    body: 'We know the farm, the spinner and the mill, and we print all three on the label.',
  },
  repair: {
    icon: 'award',
    title: 'Mended free for five years',
    body: 'Send it back with a hole, a lost button or a tired hem and we will return it in one piece.',
  },
  dyed: {
    icon: 'droplet',
    title: 'Garment dyed',
    body: 'Dyed after sewing, so colour settles into the seams and softens a little with every wash.',
  },
  warm: {
    icon: 'thermometer',
    title: 'Warm without weight',
    body: 'Air trapped in the yarn does the work: warm enough for frost, light enough for a train.',
  },
  dry: {
    icon: 'droplet',
    title: 'Rain off, breath out',
    body: 'A dense weave and a fluorine-free finish turn showers away and let you walk uphill.',
  },
  breathes: {
    icon: 'wind',
    title: 'Breathes in heat',
    body: 'An open weave lets moving air through. It feels cooler than the thermometer says.',
  },
  resole: {
    icon: 'award',
    title: 'Made to be resoled',
    body: 'Stitched, not only glued: any good cobbler can give it a second and a third life.',
  },
  softens: {
    icon: 'heart',
    title: 'Softer every month',
    body: 'Stiff for the first three wears, then yours. The wear marks end up where you bend.',
  },
  knitted: {
    icon: 'recycle',
    title: 'Knitted to shape',
    body: 'Each panel is knitted to its final outline and linked by hand, so there is no bulk at the seams.',
  },
  packs: {
    icon: 'bag',
    title: 'Packs down small',
    body: 'Folds into its own pocket and comes out looking like itself.',
  },
}

export const promises = {
  returns: { icon: 'refresh', label: 'Free returns for 60 days', note: 'Worn once indoors is fine.' },
  repaired: { icon: 'award', label: 'Mended free for five years' },
  plastic: { icon: 'leaf', label: 'Packed without plastic' },
  hem: { icon: 'ruler', label: 'Free hemming', note: 'Tell us your inseam at checkout.' },
}

const seller = 'Wrenfold Clothing Inc., 41 Tannery Lane, Hudson, NY 12534, USA'

export function madeBy(
  genericName: string,
  maker: { name: string; location: string },
  netQuantity = '1 piece',
): Enrichment {
  return {
    maker,
    manufacturer: {
      genericName,
      countryOfOrigin: maker.location.split(', ').at(-1) ?? maker.location,
      manufacturer: `${maker.name}, ${maker.location}`,
      packer: seller,
      netQuantity,
      packOf: '1',
    },
  }
}

/** Rows of highlights and specs as key, value. */
export function rows(list: Record<string, string>): { key: string; value: string }[] {
  return Object.entries(list).map(([key, value]) => ({ key, value }))
}
