import { darker, lighter, seamColour } from '../colour.ts'
import { path } from '../path.ts'
import { flat, piece, seam } from '../piece.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'

export function button(x: number, y: number, radius = 9, colour = '#efe7da'): string {
  const edge = darker(colour, 0.42)
  const [cx, cy] = [Math.round(x), Math.round(y)]
  return (
    `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="${colour}" stroke="${edge}" stroke-width="2"/>` +
    `<path d="M${cx - 2} ${cy - 2}h.1M${cx + 2} ${cy - 2}h.1M${cx - 2} ${cy + 2}h.1M${cx + 2} ${cy + 2}h.1" stroke="${edge}" stroke-width="2.4" stroke-linecap="round"/>`
  )
}

export function buttons(x: number, from: number, to: number, count: number, radius?: number, colour?: string): string {
  const gap = count > 1 ? (to - from) / (count - 1) : 0
  return Array.from({ length: count }, (_, index) => button(x, from + gap * index, radius, colour)).join('')
}

/** The folded strip the buttonholes sit on. */
export function placket(sheet: Sheet, cloth: Cloth, from: number, to: number, half = 24): string {
  const strip = path`M${-half} ${from}L${half} ${from}L${half} ${to}L${-half} ${to}Z`
  const stitches =
    seam(cloth, path`M${half - 7} ${from + 4}L${half - 7} ${to - 3}`, 'stitch') +
    seam(cloth, path`M${7 - half} ${from + 4}L${7 - half} ${to - 3}`, 'stitch')
  return piece(sheet, cloth, strip, { light: 'none' }) + stitches
}

/** The opening of a garment that closes edge over edge. */
export function opening(cloth: Cloth, from: number, to: number, x = 0): string {
  return (
    flat(path`M${x} ${from}L${x + 9} ${from + 10}L${x + 9} ${to}L${x} ${to}Z`, '#000', 0.16) +
    seam(cloth, path`M${x} ${from}L${x} ${to}`)
  )
}

export function zip(cloth: Cloth, from: number, to: number, metal = '#b9b3a8'): string {
  const tape = flat(path`M-13 ${from}L13 ${from}L13 ${to}L-13 ${to}Z`, darker(cloth.hex, 0.3))
  const teeth = `<path d="${path`M0 ${from}L0 ${to}`}" stroke="${metal}" stroke-width="10" stroke-dasharray="4 3"/>`
  const pull = `<path d="${path`M-6 ${from + 4}L6 ${from + 4}L8 ${from + 36}L-8 ${from + 36}Z`}" fill="${lighter(metal, 0.3)}" stroke="${darker(metal, 0.5)}" stroke-width="2"/>`
  return tape + teeth + pull
}

export interface Pocket {
  kind: 'patch' | 'flap' | 'welt' | 'pointed' | 'bellows'
  /** Middle of the mouth. */
  x: number
  y: number
  width: number
  height: number
  lean?: number
}

export function pocket(sheet: Sheet, cloth: Cloth, shape: Pocket): string {
  const { kind, x, y, width, height, lean = 0 } = shape
  const [l, r] = [x - width / 2, x + width / 2]
  if (kind === 'welt') {
    return piece(
      sheet,
      cloth,
      path`M${l} ${y + lean}L${r} ${y - lean}L${r} ${y - lean + height}L${l} ${y + lean + height}Z`,
      { light: 'down' },
    )
  }
  const point = kind === 'pointed' ? height * 0.16 : 0
  const curve = kind === 'pointed' ? 0 : 14
  const bag = path`M${l} ${y}L${r} ${y}L${r} ${y + height - curve - point}Q${r} ${y + height - point} ${r - curve} ${y + height - point}L${x} ${y + height}L${l + curve} ${y + height - point}Q${l} ${y + height - point} ${l} ${y + height - curve - point}Z`
  const stitches = seam(
    cloth,
    path`M${l + 7} ${y + 4}L${l + 7} ${y + height - point - 8}L${x} ${y + height - 8}L${r - 7} ${y + height - point - 8}L${r - 7} ${y + 4}`,
    'stitch',
  )
  const mouth = seam(cloth, path`M${l} ${y + 20}L${r} ${y + 20}`, 'stitch')
  const plain = piece(sheet, cloth, bag, { light: 'down' }) + stitches
  if (kind !== 'flap' && kind !== 'bellows') return plain + mouth
  const deep = kind === 'bellows' ? 58 : 50
  const flap = path`M${l - 4} ${y - 8}L${r + 4} ${y - 8}L${r + 4} ${y + deep - 14}Q${r + 2} ${y + deep} ${r - 12} ${y + deep}L${l + 12} ${y + deep}Q${l - 2} ${y + deep} ${l - 4} ${y + deep - 14}Z`
  const cover =
    piece(sheet, cloth, flap, { light: 'down' }) +
    seam(cloth, path`M${l + 4} ${y + deep - 8}L${r - 4} ${y + deep - 8}`, 'stitch')
  return (
    (kind === 'bellows' ? plain + seam(cloth, path`M${x} ${y}L${x} ${y + height}`) : height > 60 ? plain : '') + cover
  )
}

/** The same pocket on both sides. */
export function pockets(sheet: Sheet, cloth: Cloth, shape: Pocket): string {
  return pocket(sheet, cloth, { ...shape, x: -shape.x, lean: -(shape.lean ?? 0) }) + pocket(sheet, cloth, shape)
}

/** A ribbed hem under a sweater or bomber. */
export function ribHem(sheet: Sheet, cloth: Cloth, y: number, half: number, height: number): string {
  const strip = path`M${-half} ${y}Q0 ${y + 16} ${half} ${y}L${half - 12} ${y + height}Q0 ${y + height + 14} ${12 - half} ${y + height}Z`
  return piece(sheet, { ...cloth, texture: 'rib' }, strip)
}

export function bar(x: number, y: number, width: number, height: number, cloth: Cloth): string {
  const edge = seamColour(cloth.hex)
  return `<rect x="${Math.round(x)}" y="${Math.round(y)}" width="${width}" height="${height}" rx="4" fill="${cloth.hex}" stroke="${edge}" stroke-width="2.5"/>`
}
