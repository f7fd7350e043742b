import { ICONS } from '@storefront/contracts'
import type { BuiltInVocabulary } from './merge-vocabulary.ts'

/** A unit is in the label: an attribute whose values contain their units, such as “71 cm in M”, has none. */
type Row = Omit<BuiltInVocabulary['items'][number], 'group'>

const groups = [
  { id: 'fabric', label: 'Fabric' },
  { id: 'fit', label: 'Fit' },
  { id: 'construction', label: 'Construction' },
  { id: 'footwear', label: 'Footwear' },
  { id: 'details', label: 'Details' },
  { id: 'care', label: 'Care' },
  { id: 'origin', label: 'Origin and sustainability' },
]

const fabric: Row[] = [
  {
    key: 'fabric',
    label: 'Fabric',
    highlight: true,
    values: [
      'Organic cotton poplin',
      'Cotton jersey',
      'Denim',
      'European linen',
      'Extra-fine merino',
      'Silk',
      'Viscose crêpe',
      'Wool flannel',
    ],
  },
  {
    key: 'weave',
    label: 'Weave or knit',
    highlight: false,
    values: [
      'Plain weave',
      'Poplin',
      'Twill',
      'Satin',
      'Denim twill',
      'Corduroy',
      'Single jersey',
      'Interlock',
      'Rib',
      'French terry',
    ],
  },
  {
    key: 'weight',
    label: 'Fabric weight',
    highlight: true,
    values: ['120 gsm', '150 gsm', '190 gsm', '250 gsm', '320 gsm', '400 gsm'],
  },
  { key: 'gauge', label: 'Knitting gauge', highlight: true, values: ['3', '5', '7', '12', '14'] },
  {
    key: 'pattern',
    label: 'Pattern',
    highlight: false,
    values: ['Plain', 'Stripe', 'Check', 'Herringbone', 'Floral', 'Dot', 'Jacquard'],
  },
  {
    key: 'finish',
    label: 'Finish',
    highlight: false,
    values: ['Washed', 'Garment dyed', 'Brushed', 'Sandwashed', 'Mercerised', 'Waxed', 'Raw'],
  },
  { key: 'transparency', label: 'Transparency', highlight: false, values: ['Opaque', 'Slightly sheer', 'Sheer'] },
  { key: 'warmth', label: 'Warmth', highlight: true, values: ['Light', 'Mild', 'Medium', 'Warm', 'Very warm'] },
  {
    key: 'water',
    label: 'Water resistance',
    highlight: true,
    values: ['Water-repellent', 'Showerproof', 'Waterproof'],
  },
  {
    key: 'water-column',
    label: 'Water column',
    unit: 'mm',
    highlight: false,
    values: ['5000', '10000', '15000', '20000'],
  },
  { key: 'fill', label: 'Filling', highlight: true, values: ['Down', 'Recycled down', 'Recycled fibre', 'Wool'] },
  {
    key: 'leather',
    label: 'Leather',
    highlight: true,
    values: ['Full-grain', 'Nubuck', 'Suede', 'Vegetable-tanned', 'Chrome-free'],
  },
]

const fit: Row[] = [
  {
    key: 'fit',
    label: 'Fit',
    highlight: true,
    values: ['Slim', 'Regular', 'Straight', 'Relaxed', 'Boxy', 'Oversized', 'Cropped'],
  },
  { key: 'cut', label: 'Cut', highlight: true, values: ['Straight', 'A-line', 'Bias', 'Wrap', 'Fit and flare'] },
  { key: 'length', label: 'Length', highlight: true, values: ['Cropped', 'Hip', 'Knee', 'Midi', 'Ankle', 'Full'] },
  {
    key: 'sleeve',
    label: 'Sleeve',
    highlight: true,
    values: ['Sleeveless', 'Short', 'Elbow', 'Bracelet length', 'Long', 'Raglan', 'Bishop'],
  },
  { key: 'rise', label: 'Rise', highlight: true, values: ['Low', 'Mid', 'High'] },
  { key: 'inseam', label: 'Inseam', highlight: true, values: ['76 cm', '80 cm', '84 cm', '88 cm'] },
  { key: 'leg', label: 'Leg', highlight: true, values: ['Skinny', 'Slim', 'Straight', 'Tapered', 'Wide', 'Bootcut'] },
  { key: 'stretch', label: 'Stretch', highlight: true, values: ['None', 'A little', 'Two-way', 'Four-way'] },
  { key: 'ages', label: 'Ages', highlight: true, values: ['0 to 2', '2 to 9', '10 to 14'] },
]

const construction: Row[] = [
  {
    key: 'construction',
    label: 'Construction',
    highlight: true,
    values: ['Half canvas', 'Full canvas', 'Fully fashioned', 'Hand-sewn', 'Goodyear welt', 'Blake stitch'],
  },
  {
    key: 'collar',
    label: 'Collar',
    highlight: true,
    values: ['Soft point', 'Button-down', 'Camp', 'Club', 'Shawl', 'Stand'],
  },
  {
    key: 'neckline',
    label: 'Neckline',
    highlight: true,
    values: ['Boat', 'Crew', 'Henley', 'Roll', 'Scoop', 'Square', 'V'],
  },
  {
    key: 'closure',
    label: 'Closure',
    highlight: false,
    values: ['Buttons', 'Zip', 'Two-way zip', 'Button fly', 'Zip fly', 'Hook and bar', 'Pull-on', 'Magnetic'],
  },
  {
    key: 'waistband',
    label: 'Waistband',
    highlight: false,
    values: ['Fixed', 'Elasticated', 'Drawstring', 'Side adjusters'],
  },
  { key: 'crease', label: 'Crease', highlight: false, values: ['None', 'Pressed'] },
  { key: 'hem', label: 'Hem', highlight: false, values: ['Straight', 'Curved', 'Ribbed', 'Raw', 'Turn-up'] },
  { key: 'vent', label: 'Vent', highlight: false, values: ['None', 'Single', 'Double'] },
  { key: 'pockets', label: 'Pockets', highlight: true, values: ['None', '1', '2', '4', '5'] },
  {
    key: 'lining',
    label: 'Lining',
    highlight: true,
    values: ['Unlined', 'Half lined', 'Cotton', 'Cupro', 'Recycled polyester'],
  },
  { key: 'hood', label: 'Hood', highlight: true, values: ['None', 'Fixed', 'Removable', 'Packs away'] },
  {
    key: 'seams',
    label: 'Seams',
    highlight: false,
    values: ['Flat-felled', 'French', 'Overlocked', 'Taped', 'Linked by hand'],
  },
  { key: 'knees', label: 'Knees', highlight: true, values: ['Plain', 'Doubled', 'Articulated'] },
]

const footwear: Row[] = [
  { key: 'upper', label: 'Upper', highlight: true, values: ['Smooth leather', 'Suede', 'Canvas', 'Recycled textile'] },
  { key: 'sole', label: 'Sole', highlight: true, values: ['Leather', 'Rubber', 'Stitched rubber', 'Crepe'] },
  { key: 'insole', label: 'Insole', highlight: true, values: ['Cork', 'Leather', 'Memory foam', 'Removable'] },
  { key: 'cushion', label: 'Cushioning', highlight: true, values: ['None', 'Sole only', 'Full foot'] },
  { key: 'heel-height', label: 'Heel height', unit: 'cm', highlight: false },
]

const details: Row[] = [
  {
    key: 'season',
    label: 'Season',
    highlight: true,
    values: ['All year', 'Spring and summer', 'Summer', 'Autumn and winter', 'Winter'],
  },
  { key: 'size', label: 'Dimensions', highlight: true },
  { key: 'width', label: 'Width', highlight: true, values: ['25 mm', '30 mm', '35 mm', '40 mm'] },
  { key: 'capacity', label: 'Capacity', unit: 'l', highlight: false },
  { key: 'laptop', label: 'Laptop', highlight: true, values: ['Up to 13 inch', 'Up to 14 inch', 'Up to 16 inch'] },
  { key: 'strap', label: 'Strap', highlight: false, values: ['Short handle', 'Shoulder', 'Cross-body'] },
  { key: 'straps', label: 'Straps', highlight: false, values: ['Fixed', 'Adjustable', 'Removable'] },
  { key: 'belt', label: 'Belt', highlight: true, values: ['None', 'Fixed', 'Removable'] },
  { key: 'buckle', label: 'Buckle', highlight: true, values: ['Solid brass', 'Nickel-free steel', 'Covered'] },
]

const care: Row[] = [
  {
    key: 'washing',
    label: 'Washing',
    highlight: false,
    values: ['Hand wash', 'Machine wash at 30 °C', 'Machine wash at 40 °C', 'Do not wash'],
  },
  { key: 'drying', label: 'Drying', highlight: false, values: ['Dry flat', 'Line dry', 'Tumble dry low'] },
  {
    key: 'ironing',
    label: 'Ironing',
    highlight: false,
    values: ['Cool', 'Medium', 'Hot', 'Do not iron', 'Steam only'],
  },
  { key: 'dry-cleaning', label: 'Dry cleaning', highlight: false, values: ['Possible', 'Only', 'Do not dry clean'] },
]

const origin: Row[] = [
  { key: 'made-in', label: 'Made in', highlight: true },
  { key: 'fibre-origin', label: 'Origin of the fibre', highlight: false },
  {
    key: 'certification',
    label: 'Certification',
    highlight: false,
    values: [
      'European Flax',
      'Fairtrade',
      'GOTS',
      'Global Recycled Standard',
      'Leather Working Group',
      'OEKO-TEX Standard 100',
      'Responsible Wool Standard',
    ],
  },
  { key: 'recycled-content', label: 'Recycled content', unit: '%', highlight: false, values: ['20', '50', '100'] },
  {
    key: 'dyeing',
    label: 'Dyeing',
    highlight: false,
    values: ['Undyed', 'Natural dyes', 'Low-water dyeing', 'Garment dyed'],
  },
  { key: 'vegan', label: 'Vegan', highlight: false, values: ['Yes', 'No'] },
  {
    key: 'repair',
    label: 'Repair',
    highlight: false,
    values: ['Free for five years', 'Repair kit included', 'Can be resoled'],
  },
  { key: 'packaging', label: 'Packaging', highlight: false, values: ['Plastic-free', 'Recycled paper', 'Reusable'] },
]

const assurances = [
  { icon: 'refresh', label: 'Free returns', note: 'Within 30 days, unworn.' },
  { icon: 'truck', label: 'Free delivery' },
  { icon: 'shield', label: 'Secure payment' },
  { icon: 'award', label: 'Free repairs' },
  { icon: 'leaf', label: 'Plastic-free packaging' },
  { icon: 'package', label: 'Gift wrapping', note: 'Choose it at checkout.' },
]

/** What a garment shop usually promises, in display order. */
export const builtInVocabulary: BuiltInVocabulary = {
  groups,
  items: [
    ...inGroup('fabric', fabric),
    ...inGroup('fit', fit),
    ...inGroup('construction', construction),
    ...inGroup('footwear', footwear),
    ...inGroup('details', details),
    ...inGroup('care', care),
    ...inGroup('origin', origin),
  ],
  icons: [...ICONS],
  assurances,
}

function inGroup(group: string, rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, group }))
}
