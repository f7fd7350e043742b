import { itemNamed } from '../catalogue/items.ts'
import { drawScene, type Backdrop, type Placement } from './scene.ts'

/** A garment and which of its colours. */
type Choice = [slug: string, colour: number]
type Composition = [path: string, ground: string, backdrop: Backdrop, ...choices: [Choice, ...Choice[]]]

const compositions: Composition[] = [
  ['hero-first-frost', '#b9a78f', 'rail', ['aran-roll-neck-sweater', 0], ['lambswool-check-scarf', 0]],
  ['collection-first-frost', '#8fa0ad', 'rail', ['fishermans-rib-sweater', 0], ['merino-column-dress', 1]],
  ['collection-the-linen-drawer', '#c9c3a4', 'block', ['linen-camp-shirt', 0], ['paperbag-linen-trouser', 0]],
  ['collection-desk-to-dinner', '#b89b86', 'block', ['herringbone-blazer', 0], ['wide-leg-pleated-trouser', 1]],
  ['collection-essentials', '#a9b7bd', 'rail', ['everyday-crew-tee', 0], ['loopback-hoodie', 0]],
  ['collection-gifts', '#b4786a', 'disc', ['saddle-satchel', 0], ['merino-rib-beanie', 0]],
  ['category-women', '#c4a997', 'block', ['breton-boat-neck-top', 1], ['wide-leg-pleated-trouser', 0]],
  ['category-women-tops', '#b7bda3', 'rail', ['slub-v-neck-tee', 0], ['cable-sweater-vest', 1]],
  ['category-women-shirts', '#c7b79d', 'arch', ['linen-camp-shirt', 0]],
  ['category-women-tees', '#a5b4c4', 'disc', ['breton-boat-neck-top', 0]],
  ['category-women-knitwear', '#a98f7a', 'arch', ['aran-roll-neck-sweater', 0]],
  ['category-women-dresses-skirts', '#c7a6a0', 'block', ['orchard-wrap-dress', 0], ['pleated-midi-skirt', 0]],
  ['category-women-dresses', '#b6bfa8', 'arch', ['orchard-wrap-dress', 2]],
  ['category-women-skirts', '#c9b8a0', 'disc', ['pleated-midi-skirt', 1]],
  ['category-women-bottoms', '#a8adb8', 'block', ['wide-leg-pleated-trouser', 1], ['indigo-straight-jean', 0]],
  ['category-women-trousers', '#bcb09b', 'arch', ['wide-leg-pleated-trouser', 1]],
  ['category-women-jeans', '#b8a58d', 'disc', ['indigo-straight-jean', 0]],
  ['category-women-outerwear', '#9fa79b', 'disc', ['boiled-wool-cocoon-coat', 0]],
  ['category-women-jackets', '#b79f93', 'arch', ['herringbone-blazer', 1]],
  ['category-women-coats', '#8e9aa3', 'arch', ['storm-trench-coat', 0]],
  ['category-men', '#97a3a6', 'block', ['night-bomber', 1], ['everyday-chino', 0]],
  ['category-men-tops', '#b3a48f', 'rail', ['heavyweight-pocket-tee', 3], ['fishermans-rib-sweater', 1]],
  ['category-men-shirts', '#c3ad94', 'arch', ['washed-oxford-shirt', 0]],
  ['category-men-tees', '#9fb0a6', 'disc', ['heavyweight-pocket-tee', 2]],
  ['category-men-knitwear', '#9a9f92', 'arch', ['fishermans-rib-sweater', 0]],
  ['category-men-sweatshirts', '#bfa98c', 'disc', ['loopback-hoodie', 0]],
  ['category-men-bottoms', '#a59d8f', 'block', ['everyday-chino', 0], ['relaxed-taper-jean', 0]],
  ['category-men-trousers', '#adb2a0', 'arch', ['wide-wale-corduroy-trouser', 0]],
  ['category-men-jeans', '#c2b199', 'disc', ['selvedge-jean', 0]],
  ['category-men-shorts', '#cdb795', 'arch', ['linen-drawstring-short', 0]],
  ['category-men-outerwear', '#a39281', 'disc', ['chore-jacket', 0]],
  ['category-men-jackets', '#8c9aa5', 'arch', ['alpine-down-parka', 0]],
  ['category-men-coats', '#b5a791', 'arch', ['duffle-coat', 0]],
  ['category-accessories', '#b9a283', 'block', ['market-tote', 0], ['merino-rib-beanie', 1]],
  ['category-headwear-scarves', '#8f9a8c', 'block', ['lambswool-check-scarf', 0], ['bobble-hat', 0]],
  ['category-hats', '#9aa3ad', 'disc', ['merino-rib-beanie', 0]],
  ['category-scarves', '#b1a999', 'arch', ['lambswool-check-scarf', 0]],
  ['category-gloves', '#c0a892', 'disc', ['merino-mittens', 0]],
  ['category-bags-belts', '#a3a792', 'block', ['saddle-satchel', 0], ['plain-leather-belt', 0]],
  ['category-bags', '#98a493', 'arch', ['market-tote', 0]],
  ['category-belts', '#bdb2a2', 'disc', ['plain-leather-belt', 0]],
  ['category-footwear', '#a9a08f', 'block', ['chelsea-boot', 0], ['ribbed-wool-socks', 0]],
  ['category-sneakers', '#a6b39c', 'disc', ['court-sneaker', 0]],
  ['category-boots', '#c3ab8b', 'disc', ['chelsea-boot', 0]],
  ['category-socks', '#9fb0b3', 'arch', ['ribbed-wool-socks', 0]],
  ['category-kids', '#d0b486', 'block', ['little-breton-tee', 0], ['little-cord-dungarees', 0]],
  ['category-kids-clothing', '#a7bab8', 'arch', ['little-teddy-fleece', 0]],
  ['category-kids-tops', '#c9bba3', 'disc', ['little-lambswool-sweater', 1]],
  ['category-kids-bottoms', '#9fb3a8', 'arch', ['little-cord-dungarees', 0]],
  ['category-kids-outerwear', '#93aab8', 'disc', ['little-rain-jacket', 0]],
]

/** Where one or two garments stand before each backdrop. */
function arrange(backdrop: Backdrop, choices: Choice[]): Placement[] {
  const spots: [number, number, number][] =
    choices.length === 1
      ? [[600, 790, 0.9]]
      : backdrop === 'rail'
        ? [
            [360, 710, 0.74],
            [850, 680, 0.66],
          ]
        : [
            [390, 600, 0.68],
            [810, 900, 0.7],
          ]
  return choices.flatMap(([slug, colour], index) => {
    const spot = spots[index]
    if (spot === undefined) return []
    const [x, y, scale] = spot
    return [{ item: itemNamed(slug), colour, x, y, scale }]
  })
}

export function* composedPictures(): Iterable<{ path: string; svg: string }> {
  for (const [name, ground, backdrop, ...choices] of compositions) {
    yield { path: `demo/${name}.svg`, svg: drawScene({ ground, backdrop, placements: arrange(backdrop, choices) }) }
  }
}
