const LETTERS = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL']
const NUMBERS = ['0', '2', '4', '6', '8', '10', '12', '14', '16', '18', '20']
const WAISTS = ['26', '27', '28', '29', '30', '31', '32', '33', '34', '36', '38', '40']
const AGES = ['2Y', '3Y', '4Y', '5Y', '6Y', '7Y', '8Y', '10Y', '12Y', '14Y']
const SHOES = ['5', '5.5', '6', '6.5', '7', '7.5', '8', '8.5', '9', '9.5', '10', '10.5', '11', '11.5', '12', '13']
const FEW = ['Small', 'Medium', 'Large']

export interface Leaf {
  slug: string
  name: string
  parent: string
  /** How many of a thousand products belong here, roughly. */
  weight: number
  /** In dollars. */
  typicalPrice: number
  sizes: readonly string[]
  garments: readonly string[]
}

interface Department {
  slug: string
  name: string
  /** Two letters that the department's SKUs begin with. */
  code: string
  leaves: readonly Leaf[]
}

const department = (
  code: string,
  name: string,
  rows: readonly (readonly [name: string, weight: number, typicalPrice: number, sizes: string[], garments: string])[],
): Department => {
  const slug = name.toLowerCase()
  return {
    slug,
    name,
    code,
    leaves: rows.map(([name, weight, typicalPrice, sizes, garments]) => {
      const middle = MIDDLES.find((each) => each.parent === slug && each.holds.includes(name))
      const parent = middle?.slug ?? slug
      return {
        slug: `${slug}-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
        name,
        parent,
        weight,
        typicalPrice,
        sizes,
        garments: garments.split(', '),
      }
    }),
  }
}

/** Categories between a department and its leaves. */
export const MIDDLES = [
  {
    slug: 'women-dresses',
    name: 'Dresses',
    parent: 'women',
    holds: ['Day Dresses', 'Evening Dresses', 'Knit Dresses'],
  },
  { slug: 'sport-swim', name: 'Swim', parent: 'sport', holds: ['Swimsuits', 'Swim Shorts'] },
]

export const DEPARTMENTS: readonly Department[] = [
  department('WO', 'Women', [
    ['Tops', 75, 38, LETTERS, 'T-shirt, Tank Top, Bodysuit, Henley, Camisole, Tube Top'],
    ['Shirts', 50, 69, LETTERS, 'Shirt, Blouse, Tunic, Overshirt, Pussy-bow Blouse'],
    ['Knitwear', 55, 98, LETTERS, 'Sweater, Cardigan, Roll-neck, Pullover, Twinset, Bolero'],
    ['Day Dresses', 45, 89, NUMBERS, 'Dress, Shirt Dress, Midi Dress, Pinafore'],
    ['Evening Dresses', 15, 159, NUMBERS, 'Gown, Slip Dress, Cocktail Dress'],
    ['Knit Dresses', 12, 119, LETTERS, 'Sweater Dress, Tube Dress'],
    ['Skirts', 30, 72, NUMBERS, 'Skirt, Midi Skirt, Wrap Skirt, Culottes'],
    ['Trousers', 50, 84, NUMBERS, 'Trousers, Chinos, Jeans, Palazzo, Dungarees'],
    ['Outerwear', 35, 189, LETTERS, 'Jacket, Coat, Parka, Blazer, Trench, Cape, Gilet'],
  ]),
  department('ME', 'Men', [
    ['T-shirts', 65, 32, LETTERS, 'T-shirt, Polo, Henley, Singlet'],
    ['Shirts', 55, 72, LETTERS, 'Shirt, Overshirt, Camp Shirt, Grandad Shirt'],
    ['Knitwear', 40, 95, LETTERS, 'Sweater, Cardigan, Roll-neck, Slipover, Troyer'],
    ['Sweatshirts', 35, 64, LETTERS, 'Sweatshirt, Hoodie, Half-zip'],
    ['Trousers', 40, 82, WAISTS, 'Trousers, Chinos, Joggers, Cargos'],
    ['Jeans', 30, 92, WAISTS, 'Jeans, Selvedge Jeans'],
    ['Suits', 12, 219, ['44R', '46R', '48R', '50R', '52R', '54R'], 'Blazer, Waistcoat, Dinner Jacket'],
    ['Outerwear', 33, 179, LETTERS, 'Jacket, Coat, Parka, Bomber, Peacoat, Anorak, Gilet'],
  ]),
  department('KI', 'Kids', [
    ['Tops', 32, 22, AGES, 'T-shirt, Shirt, Sweatshirt, Smock'],
    ['Knitwear', 16, 45, AGES, 'Sweater, Cardigan, Balaclava'],
    ['Dresses', 14, 42, AGES, 'Dress, Pinafore, Tutu'],
    ['Trousers', 22, 34, AGES, 'Trousers, Jeans, Leggings, Dungarees'],
    ['Outerwear', 14, 79, AGES, 'Jacket, Snowsuit, Raincoat, Parka'],
    ['Sleepwear', 8, 29, AGES, 'Pyjamas, Nightdress, Onesie'],
  ]),
  department('SH', 'Shoes', [
    ['Sneakers', 40, 98, SHOES, 'Sneakers, Trainers, High-tops'],
    ['Boots', 26, 165, SHOES, 'Boots, Chelsea Boots, Chukkas, Wellingtons'],
    ['Sandals', 18, 64, SHOES, 'Sandals, Slides, Espadrilles, Clogs'],
    ['Loafers', 14, 129, SHOES, 'Loafers, Moccasins, Derbies, Brogues'],
    ['Heels', 11, 119, SHOES, 'Heels, Pumps, Mules, Wedges'],
    ['Slippers', 6, 45, SHOES, 'Slippers'],
    ['Running Shoes', 15, 135, SHOES, 'Running Shoes, Trail Shoes, Spikes'],
  ]),
  department('AC', 'Accessories', [
    ['Hats', 16, 34, FEW, 'Beanie, Cap, Bucket Hat, Beret, Fedora'],
    ['Scarves', 12, 48, FEW, 'Scarf, Snood, Bandana, Stole'],
    ['Gloves', 8, 42, LETTERS, 'Gloves, Mittens'],
    ['Belts', 8, 46, LETTERS, 'Belt, Braces'],
    ['Bags', 20, 124, FEW, 'Tote, Backpack, Crossbody Bag, Holdall, Clutch'],
    ['Socks', 14, 14, FEW, 'Socks, Knee-highs'],
    ['Tights', 5, 19, LETTERS, 'Tights, Stockings'],
  ]),
  department('SP', 'Sport', [
    ['Sport Tops', 20, 44, LETTERS, 'T-shirt, Base Layer, Jersey Top, Singlet'],
    ['Leggings', 18, 68, LETTERS, 'Leggings, Capris'],
    ['Shorts', 14, 39, LETTERS, 'Shorts, Skort'],
    ['Sports Bras', 9, 44, LETTERS, 'Sports Bra'],
    ['Track Jackets', 8, 92, LETTERS, 'Track Jacket, Windbreaker, Gilet'],
    ['Swimsuits', 10, 72, NUMBERS, 'Swimsuit, Bikini, Tankini'],
    ['Swim Shorts', 5, 48, LETTERS, 'Swim Shorts, Rash Vest'],
  ]),
]

export const LEAVES: readonly Leaf[] = DEPARTMENTS.flatMap(({ leaves }) => leaves)

/** A parent stands before its children. */
export const CATEGORIES: readonly { slug: string; name: string; parent: string | null }[] = [
  ...DEPARTMENTS.map(({ slug, name }) => ({ slug, name, parent: null })),
  ...MIDDLES.map(({ slug, name, parent }) => ({ slug, name, parent })),
  ...LEAVES.map(({ slug, name, parent }) => ({ slug, name, parent })),
]

/** Collections and the share of all products that each holds. */
export const COLLECTIONS = [
  { slug: 'new-season', title: 'New Season', share: 0.12 },
  { slug: 'essentials', title: 'Essentials', share: 0.2 },
  { slug: 'linen-weather', title: 'Linen Weather', share: 0.06 },
  { slug: 'back-to-work', title: 'Back to Work', share: 0.08 },
  { slug: 'first-frost', title: 'First Frost', share: 0.05 },
  { slug: 'easy-gifts', title: 'Easy Gifts', share: 0.03 },
  { slug: 'outlet', title: 'Outlet', share: 0.15 },
  { slug: 'capsule-nine', title: 'Capsule Nine', share: 0.005 },
] as const
