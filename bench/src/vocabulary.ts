const words = (text: string): readonly string[] => text.trim().split(/\s*,\s*/)

// The first of each list are the ones that shops use all the time: lists are picked from by their order.

export const ADJECTIVES = words(`
  Relaxed, Classic, Slim, Oversized, Cropped, Everyday, Soft, Tailored, Straight, Wide, Light, Fitted, Ribbed, Vintage,
  Essential, Long, Boxy, Quilted, Washed, Printed, Striped, Textured, Heavyweight, Pleated, Brushed, Hooded, Draped,
  Padded, Embroidered, Structured, Checked, Stretch, Insulated, Belted, Sheer, Garment-dyed, Tapered, Reversible,
  Waterproof, Double-breasted, Flared, Raglan, Layered, Gathered, Panelled, Asymmetric, Packable, Smocked, Ruched,
  Crinkled, Scalloped, Tiered, Windproof, Pintucked, Braided, Laced, Frayed, Hand-finished, Puckered, Undyed, Crimped,
  Thermal, Featherweight, Overdyed`)

export const MATERIALS = words(`
  Cotton, Linen, Wool, Denim, Merino, Jersey, Leather, Cashmere, Organic, Silk, Recycled, Corduroy, Suede, Flannel,
  Fleece, Poplin, Satin, Twill, Canvas, Nylon, Viscose, Alpaca, Tweed, Lyocell, Chambray, Velvet, Mohair, Gabardine,
  Oxford, Ripstop, Crepe, Chenille, Modal, Seersucker, Boucle, Hemp, Shearling, Nubuck, Lambswool,
  Moleskin, Jacquard, Voile, Chiffon, Taffeta, Waffle, Terry, Sherpa, Loden, Cupro, Melton, Ramie, Herringbone, Yak,
  Organza, Camel-hair`)

export const TAGS = words(`
  new-in, essentials, organic, summer, casual, winter, workwear, recycled, sale-favourite, gift, vegan, autumn, spring,
  responsible, office, weekend, holiday, layering, travel, cotton, machine-washable, limited, outdoor, evening,
  made-in-europe, linen, wedding-guest, heavyweight, lightweight, knit, denim, tailoring, loungewear, petite, tall,
  plus, maternity, unisex, breathable, water-repellent, windproof, insulated, stretch, wrinkle-free, vintage-inspired,
  minimal, statement, striped, checked, floral, plain, embroidered, pockets, hooded, zip, button-through, crew-neck,
  v-neck, roll-neck, long-sleeve, short-sleeve, sleeveless, high-rise, mid-rise, low-rise, wide-leg, straight-leg,
  slim-fit, oversized, cropped, hand-made, archive, collaboration, award, running, yoga, hiking, cycling, swim, repairable`)

export interface Color {
  name: string
  code: string
  hex: string
}

export const COLORS: readonly Color[] = words(`
  Black BLK #1a1a1a, White WHT #ffffff, Navy NVY #1f2a44, Grey GRY #8a8d91, Blue BLU #2f5d9b, Beige BGE #d9c7a8,
  Green GRN #3f6b4a, Brown BRN #6b4a34, Ecru ECR #f1e9d8, Red RED #b3282d, Khaki KHK #8b8458, Pink PNK #e3a3b1,
  Charcoal CHR #3a3d42, Olive OLV #5b6236, Cream CRM #f7f0dc, Burgundy BGY #5f1f2e, Camel CML #c19a6b,
  Yellow YLW #e8c14a, Rust RST #a4512d, Lilac LLC #b9a5cf, Teal TEL #1f6f72, Sand SND #cdb793, Orange ORG #dd7a33,
  Mustard MST #c9962c, Indigo IND #33376b, Mint MNT #a9d3be, Plum PLM #5a2e55, Coral CRL #e6735c, Turquoise TRQ #3aa8b0,
  Fuchsia FUC #c02a7b`).map((line) => {
  const [name = '', code = '', hex = ''] = line.split(' ')
  return { name, code, hex }
})

/** What the sentences of a description are made of. `{…}` is filled in with the product's own words. */
export const SENTENCES = [
  'A {adjective} {garment} in {material} that goes with most of what you own.',
  'Cut from {material} with a dry, even handle, it softens with every wash.',
  'The {garment} sits easily over a shirt and leaves room for a layer below.',
  'Woven in a small mill, then washed so that it does not shrink again.',
  'Our {garment} for the days that start cold and end warm.',
  'Seams are taped, pockets are deep, and the buttons are sewn on to stay.',
  'We changed the shoulder this year: it is a little wider and moves better.',
  'Shown here in {color}, which is darker than it looks on a screen.',
  'The {material} comes from a supplier we have worked with for nine years.',
  'Wear it {adjective} over denim, or with trousers for the office.',
  'It keeps its shape after a long day and a night in a suitcase.',
  'Between sizes? Take the smaller one for a close fit.',
] as const

export const DETAILS = [
  'Two side pockets',
  'Machine wash at 30 degrees',
  'Corozo buttons',
  'Made in Portugal',
  'Made in Italy',
  'Made in Lithuania',
  'Pre-washed: does not shrink',
  'Two-way zip',
  'Mended free for five years',
  'Side vents',
  'Inside pocket with a button',
  'Elastic at the back of the waist',
  'Fully lined',
  'Unlined',
  'Reinforced elbows',
  'Spare button sewn inside',
] as const
