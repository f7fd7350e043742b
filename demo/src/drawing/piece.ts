import { seamColour } from './colour.ts'
import { flipped, path } from './path.ts'
import type { Sheet } from './sheet.ts'
import { textureId, type Cloth } from './texture.ts'

type Light = 'round' | 'left' | 'right' | 'down' | 'none'

interface PieceOptions {
  light?: Light
  /** Degrees the grain is turned, so that stripes run along a sleeve. */
  turn?: number
  /** Soft folds inside the outline: what `fold` and `folds` return, joined. */
  folds?: string
  outline?: boolean
}

/** Where the light falls: stops of black or white at an offset. */
const lights: Record<Exclude<Light, 'none'>, { axis: string; stops: [number, string, number][] }> = {
  round: {
    axis: 'x1="0" y1="0" x2="1" y2=".12"',
    stops: [
      [0, '#000', 0.2],
      [0.18, '#000', 0.02],
      [0.4, '#fff', 0.13],
      [0.62, '#fff', 0],
      [0.84, '#000', 0.05],
      [1, '#000', 0.24],
    ],
  },
  left: {
    axis: 'x1="0" y1="0" x2="1" y2=".1"',
    stops: [
      [0, '#000', 0.12],
      [0.35, '#fff', 0.12],
      [0.7, '#000', 0.06],
      [1, '#000', 0.26],
    ],
  },
  right: {
    axis: 'x1="0" y1="0" x2="1" y2="-.1"',
    stops: [
      [0, '#000', 0.26],
      [0.4, '#000', 0.03],
      [0.62, '#fff', 0.08],
      [1, '#000', 0.18],
    ],
  },
  down: {
    axis: 'x1="0" y1="0" x2="0" y2="1"',
    stops: [
      [0, '#fff', 0.14],
      [0.5, '#fff', 0],
      [1, '#000', 0.2],
    ],
  },
}

const short = (value: number): string => String(value).replace(/^0\./, '.')

function lightId(sheet: Sheet, light: Exclude<Light, 'none'>): string {
  const { axis, stops } = lights[light]
  return sheet.define(`light ${light}`, (id) => {
    const written = stops.map(([at, colour, alpha]) => {
      return `<stop offset="${short(at)}" stop-color="${colour}" stop-opacity="${short(alpha)}"/>`
    })
    return `<linearGradient id="${id}" ${axis}>${written.join('')}</linearGradient>`
  })
}

/** One cut of cloth: color, weave, light, folds, edge. */
export function piece(sheet: Sheet, cloth: Cloth, outline: string, options: PieceOptions = {}): string {
  const { light = 'round', turn = 0, folds = '', outline: edged = true } = options
  const id = sheet.define(`outline ${outline}`, (name) => `<path id="${name}" d="${outline}"/>`)
  const use = (attributes: string): string => `<use href="#${id}" ${attributes}/>`
  const shading = light === 'none' ? '' : use(`fill="url(#${lightId(sheet, light)})"`)
  const edge = edged ? ` stroke="${seamColour(cloth.hex)}"` : ''
  return [
    use(`fill="${cloth.hex}"${edge}`),
    use(`fill="url(#${textureId(sheet, cloth, turn)})"`),
    shading,
    folds === '' ? '' : clipped(sheet, id, folds),
  ].join('')
}

function clipped(sheet: Sheet, outlineId: string, folds: string): string {
  const clip = sheet.define(`clip ${outlineId}`, (id) => `<clipPath id="${id}"><use href="#${outlineId}"/></clipPath>`)
  const blur = sheet.define('blur', (id) => {
    return `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="7"/></filter>`
  })
  const lenses = [...folds.matchAll(/([+-])(M[^Z]*Z)/g)]
  const outlines = (sign: string): string => lenses.map(([, kind, d]) => (kind === sign ? (d ?? '') : '')).join('')
  const [shadow, shine] = [outlines('-'), outlines('+')]
  const drawn = (d: string, fill: string): string => (d === '' ? '' : `<path d="${d}"${fill}/>`)
  const both = drawn(shadow, '') + drawn(shine, ' fill="#fff"')
  return `<g clip-path="url(#${clip})"><g filter="url(#${blur})" opacity=".2">${both}</g></g>`
}

/** A fold: a lens from one point to another, bulging by `width` around a bend. Shadows are marked -, highlights +. */
export function fold(
  from: [number, number],
  bend: [number, number],
  to: [number, number],
  width: number,
  kind: 'shadow' | 'shine' = 'shadow',
): string {
  const [bx, by] = bend
  const steep = Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0])
  const [dx, dy] = steep ? [width, 0] : [0, width]
  const there = path`M${from[0]} ${from[1]}Q${bx + dx} ${by + dy} ${to[0]} ${to[1]}`
  const back = path`Q${bx - dx} ${by - dy} ${from[0]} ${from[1]}Z`
  return `${kind === 'shadow' ? '-' : '+'}${there}${back}`
}

/** The same fold on both sides of the centre line. */
export function folds(...pairs: Parameters<typeof fold>[]): string {
  return pairs
    .map(([from, bend, to, width, kind]) => {
      const mirror = ([x, y]: [number, number]): [number, number] => [-x, y]
      return fold(from, bend, to, width, kind) + fold(mirror(from), mirror(bend), mirror(to), width, kind)
    })
    .join('')
}

/** A stitched or pressed line. */
export function seam(
  cloth: Cloth,
  d: string,
  style: 'line' | 'stitch' = 'line',
  colour = seamColour(cloth.hex),
): string {
  const dash =
    style === 'stitch' ? ' stroke-dasharray="8 5" stroke-width="2.2"' : ' stroke-width="2.6" stroke-linecap="round"'
  return `<path d="${d}" fill="none" stroke="${colour}"${dash} opacity=".8"/>`
}

export function bothSides(draw: (side: (d: string) => string) => string): string {
  return draw((d) => d) + draw(flipped)
}

export function flat(d: string, fill: string, opacity = 1): string {
  return `<path d="${d}" fill="${fill}"${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`
}

/** Moves a drawing whose centre line is x = 0 into the middle of the frame. */
export const centred = (markup: string): string => `<g transform="translate(600 -70) scale(1.14)">${markup}</g>`
