import { darker, lighter, lightness, seamColour } from './colour.ts'
import type { Sheet } from './sheet.ts'

export type Texture = keyof typeof textures

/** What a garment is cut from. */
export interface Cloth {
  hex: string
  texture: Texture
  /** The second color of stripes, checks and prints, and of contrast trims. */
  accent?: string
}

interface Tile {
  width: number
  height: number
  markup: string
  turn?: number
}

const line = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" opacity="${opacity}"/>`

const box = (x: number, y: number, width: number, height: number, colour: string, opacity = 1): string =>
  `<path d="M${x} ${y}h${width}v${height}h${-width}Z" fill="${colour}" opacity="${opacity}"/>`

const ink = ({ hex }: Cloth): string => seamColour(hex)
const glow = ({ hex }: Cloth): string => lighter(hex, lightness(hex) > 0.7 ? 0.7 : 0.35)
const second = (cloth: Cloth): string => cloth.accent ?? darker(cloth.hex, 0.35)

/** One repeat of each cloth, drawn over the plain colour. */
const textures = {
  plain: (cloth: Cloth): Tile => ({
    width: 8,
    height: 8,
    markup: line('M0 2H8M0 6H8', ink(cloth), 1, 0.09) + line('M2 0V8M6 0V8', glow(cloth), 1, 0.1),
  }),
  jersey: (cloth: Cloth): Tile => ({
    width: 7,
    height: 9,
    markup: line('M1 1L3.5 5L6 1', ink(cloth), 1, 0.13),
  }),
  linen: (cloth: Cloth): Tile => ({
    width: 61,
    height: 53,
    markup:
      line('M0 5H34M20 14H61M5 27H50M0 38H22M30 46H61', ink(cloth), 1.4, 0.17) +
      line('M7 0V30M21 12V53M38 0V24M52 20V53M14 40V53', ink(cloth), 1.2, 0.13) +
      line('M0 20H30M28 33H61M10 49H24M30 0V40M46 8V50', glow(cloth), 1.6, 0.3),
  }),
  knit: (cloth: Cloth): Tile => ({
    width: 20,
    height: 17,
    markup:
      line('M1 2C4 7 7 10 10 15C13 10 16 7 19 2', ink(cloth), 2.6, 0.3) + line('M5 1L10 9L15 1', glow(cloth), 2, 0.26),
  }),
  fineknit: (cloth: Cloth): Tile => ({
    width: 10,
    height: 9,
    markup: line('M.5 1L5 8L9.5 1', ink(cloth), 1.3, 0.26) + line('M3 0L5 4L7 0', glow(cloth), 1, 0.2),
  }),
  cable: (cloth: Cloth): Tile => ({
    width: 92,
    height: 84,
    markup:
      line(
        'M24 0C24 20 54 24 54 42S24 64 24 84M54 0C54 12 48 17 42 21M36 27C28 31 24 36 24 42S30 58 38 61',
        ink(cloth),
        4,
        0.32,
      ) +
      line('M44 66C51 70 54 76 54 84', ink(cloth), 4, 0.32) +
      line('M30 0C30 16 60 24 60 42S30 68 30 84', glow(cloth), 3, 0.25) +
      line('M10 0V84M68 0V84', ink(cloth), 4, 0.26) +
      line('M76 4L80 12L84 4M76 25L80 33L84 25M76 46L80 54L84 46M76 67L80 75L84 67', ink(cloth), 2, 0.22),
  }),
  rib: (cloth: Cloth): Tile => ({
    width: 14,
    height: 14,
    markup: box(0, 0, 5, 14, ink(cloth), 0.24) + box(9, 0, 3, 14, glow(cloth), 0.22),
  }),
  finerib: (cloth: Cloth): Tile => ({
    width: 9,
    height: 9,
    markup: box(0, 0, 3, 9, ink(cloth), 0.17) + box(5, 0, 2, 9, glow(cloth), 0.18),
  }),
  denim: (cloth: Cloth): Tile => ({
    width: 7,
    height: 7,
    turn: 32,
    markup: box(0, 0, 3, 7, lighter(cloth.hex, 0.35), 0.22) + box(4, 0, 2, 7, darker(cloth.hex, 0.4), 0.2),
  }),
  twill: (cloth: Cloth): Tile => ({
    width: 6,
    height: 6,
    turn: 32,
    markup: box(0, 0, 2, 6, ink(cloth), 0.13) + box(3, 0, 1.5, 6, glow(cloth), 0.12),
  }),
  corduroy: (cloth: Cloth): Tile => ({
    width: 13,
    height: 13,
    markup: box(0, 0, 4, 13, darker(cloth.hex, 0.45), 0.32) + box(7, 0, 3.5, 13, glow(cloth), 0.2),
  }),
  herringbone: (cloth: Cloth): Tile => ({
    width: 28,
    height: 9,
    markup: line('M-1 9L14 -1L29 9M-1 18L14 8L29 18M-1 0L14 -10', ink(cloth), 2, 0.26),
  }),
  breton: (cloth: Cloth): Tile => ({
    width: 40,
    height: 46,
    markup: box(0, 0, 40, 17, second(cloth)) + line('M1 22H40M1 30H40M1 38H40', ink(cloth), 1, 0.06),
  }),
  pinstripe: (cloth: Cloth): Tile => ({
    width: 30,
    height: 30,
    markup: box(13, 0, 2.5, 30, second(cloth), 0.85) + line('M0 6H30M0 16H30M0 26H30', ink(cloth), 1, 0.08),
  }),
  candystripe: (cloth: Cloth): Tile => ({
    width: 34,
    height: 34,
    markup: box(0, 0, 13, 34, second(cloth), 0.85) + line('M0 6H34M0 16H34M0 26H34', ink(cloth), 1, 0.08),
  }),
  gingham: (cloth: Cloth): Tile => ({
    width: 40,
    height: 40,
    markup: box(0, 0, 20, 40, second(cloth), 0.45) + box(0, 0, 40, 20, second(cloth), 0.45),
  }),
  check: (cloth: Cloth): Tile => ({
    width: 108,
    height: 108,
    markup:
      box(14, 0, 34, 108, second(cloth), 0.42) +
      box(0, 14, 108, 34, second(cloth), 0.42) +
      box(76, 0, 5, 108, glow(cloth), 0.5) +
      box(0, 76, 108, 5, glow(cloth), 0.5) +
      box(28, 0, 4, 108, ink(cloth), 0.3) +
      box(0, 28, 108, 4, ink(cloth), 0.3),
  }),
  windowpane: (cloth: Cloth): Tile => ({
    width: 84,
    height: 84,
    markup: box(40, 0, 3, 84, second(cloth), 0.6) + box(0, 40, 84, 3, second(cloth), 0.6),
  }),
  dots: (cloth: Cloth): Tile => ({
    width: 44,
    height: 44,
    markup: `<g fill="${second(cloth)}"><circle cx="11" cy="11" r="5"/><circle cx="33" cy="33" r="5"/></g>`,
  }),
  sprigs: (cloth: Cloth): Tile => ({
    width: 120,
    height: 130,
    markup:
      line('M30 62C34 44 26 34 36 18M90 124C84 106 94 98 86 82', darker(second(cloth), 0.3), 3, 0.75) +
      `<g fill="${second(cloth)}"><circle cx="36" cy="16" r="9"/><circle cx="24" cy="30" r="6"/><circle cx="46" cy="34" r="6"/>` +
      '<circle cx="86" cy="80" r="9"/><circle cx="76" cy="96" r="6"/><circle cx="99" cy="98" r="6"/></g>' +
      `<g fill="${lighter(second(cloth), 0.6)}"><circle cx="36" cy="16" r="3"/><circle cx="86" cy="80" r="3"/></g>`,
  }),
  fleece: (cloth: Cloth): Tile => ({
    width: 46,
    height: 40,
    markup:
      line(
        'M4 10C8 2 18 4 17 11M24 18C28 10 38 12 37 19M8 32C12 24 22 26 21 33M32 36C36 29 44 31 43 38',
        ink(cloth),
        3,
        0.22,
      ) + line('M28 6C32 1 38 3 38 8M2 22C5 17 12 18 12 23', glow(cloth), 3, 0.4),
  }),
  leather: (cloth: Cloth): Tile => ({
    width: 37,
    height: 31,
    markup: line('M3 5L9 8L8 14M18 3L24 9L31 7M14 20L20 17L26 24M2 27L9 24', ink(cloth), 1.2, 0.16),
  }),
  satin: (cloth: Cloth): Tile => ({ width: 9, height: 9, markup: line('M0 4H9', glow(cloth), 1, 0.12) }),
  canvas: (cloth: Cloth): Tile => ({
    width: 10,
    height: 10,
    markup: box(0, 0, 5, 5, ink(cloth), 0.14) + box(5, 5, 5, 5, ink(cloth), 0.1) + box(5, 0, 5, 5, glow(cloth), 0.12),
  }),
}

/** Defines the cloth's pattern, turned to the grain of a piece, and returns its id. */
export function textureId(sheet: Sheet, cloth: Cloth, turn: number): string {
  const tile = textures[cloth.texture](cloth)
  const key = `${cloth.texture} ${cloth.hex} ${cloth.accent ?? ''}`
  const base = sheet.define(key, (id) => {
    const turned = tile.turn === undefined ? '' : ` patternTransform="rotate(${tile.turn})"`
    const size = `width="${tile.width}" height="${tile.height}"`
    return `<pattern id="${id}" ${size} patternUnits="userSpaceOnUse"${turned}>${tile.markup}</pattern>`
  })
  if (turn === 0) return base
  return sheet.define(`${key} ${turn}`, (id) => {
    return `<pattern id="${id}" href="#${base}" patternTransform="rotate(${turn + (tile.turn ?? 0)})"/>`
  })
}
