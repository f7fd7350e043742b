import { darker, lightness, seamColour } from '../colour.ts'
import { acrossCentre, mirrored, path } from '../path.ts'
import { bothSides, flat, fold, piece, seam } from '../piece.ts'
import type { View } from '../garment.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'
import { neckCurve, type Shape } from './body.ts'

const inside = (cloth: Cloth): string => darker(cloth.hex, lightness(cloth.hex) > 0.5 ? 0.34 : 0.5)

/** The inside of the back, seen through the neckline: drawn before the body. */
export function insideBack(cloth: Cloth, shape: Shape, colour = inside(cloth), rise = 3): string {
  const { neck, top } = shape
  const low = top + shape.drop + 30
  const back = mirrored(
    path`M0 ${top - rise + 16}C${neck * 0.5} ${top - rise + 16} ${neck * 0.9} ${top - rise + 8} ${neck - 1} ${top - rise}L${neck + 16} ${top + 30}L${neck} ${low}L0 ${low}`,
  )
  const label = flat(path`M-26 ${top + 24}L26 ${top + 24}L26 ${top + 44}L-26 ${top + 44}Z`, '#f4efe6', 0.85)
  return flat(back, colour) + (shape.drop > 50 ? label : '')
}

/** A knitted band that follows the neckline, its ribs fanning out around the curve. */
export function band(cloth: Cloth, shape: Shape, view: View, width: number): string {
  const half = width / 2
  const middle = { ...shape, neck: shape.neck + half * 0.6, top: shape.top + half * 0.1, drop: shape.drop + half * 0.9 }
  const curve = acrossCentre(neckCurve(middle, view))
  const stroke = (colour: string, thickness: number, more = ''): string =>
    `<path d="${curve}" fill="none" stroke="${colour}" stroke-width="${thickness}"${more}/>`
  const line = seamColour(cloth.hex)
  return (
    stroke(line, width + 5) + stroke(cloth.hex, width) + stroke(line, width, ' stroke-dasharray="2.5 5" opacity=".3"')
  )
}

/** A pointed shirt collar on a stand, buttoned up. */
export function shirtCollar(sheet: Sheet, cloth: Cloth, shape: Shape, view: View): string {
  const { neck, top } = shape
  const low = top + shape.drop
  if (view === 'back') {
    const back = mirrored(
      path`M0 ${top - 42}C${neck * 0.5} ${top - 44} ${neck * 0.8} ${top - 36} ${neck - 4} ${top - 24}C${neck + 12} ${top - 4} ${neck + 18} ${top + 12} ${neck + 16} ${top + 22}C${neck * 0.6} ${top + 30} ${neck * 0.3} ${top + 34} 0 ${top + 34}`,
    )
    return (
      piece(sheet, cloth, back, { light: 'round' }) +
      seam(cloth, path`M${-neck - 8} ${top + 12}Q0 ${top + 36} ${neck + 8} ${top + 12}`, 'stitch')
    )
  }
  const well = mirrored(
    path`M0 ${top - 36}C${neck * 0.5} ${top - 36} ${neck * 0.8} ${top - 32} ${neck - 4} ${top - 22}L${neck * 0.5} ${top + 30}L0 ${low}`,
  )
  const stand = mirrored(
    path`M0 ${top - 4}C${neck * 0.5} ${top - 6} ${neck * 0.8} ${top - 14} ${neck - 6} ${top - 22}L${neck - 10} ${top + 6}C${neck * 0.6} ${top + 18} ${neck * 0.4} ${top + 24} 0 ${top + 24}`,
  )
  const leaf = path`M0 ${low - 6}C${neck * 0.4} ${low - 40} ${neck * 0.8} ${top + 10} ${neck - 8} ${top - 26}C${neck + 10} ${top - 14} ${neck + 24} ${top + 8} ${neck + 26} ${top + 28}C${neck + 18} ${top + 70} ${neck} ${low + 40} ${neck * 0.8} ${low + 62}C${neck * 0.5} ${low + 40} 26 ${low + 16} 0 ${low - 6}Z`
  const edge = path`M10 ${low - 6}C${neck * 0.4} ${low + 26} ${neck * 0.5} ${low + 34} ${neck * 0.77} ${low + 48}C${neck * 0.94} ${low + 22} ${neck + 8} ${top + 64} ${neck + 15} ${top + 32}`
  return (
    flat(well, inside(cloth)) +
    flat(stand, darker(cloth.hex, 0.14)) +
    bothSides((side) => piece(sheet, cloth, side(leaf), { light: 'left', turn: 0 }) + seam(cloth, side(edge), 'stitch'))
  )
}

/** A flat open collar with a notch, worn without a top button. */
export function campCollar(sheet: Sheet, cloth: Cloth, shape: Shape, view: View): string {
  const { neck, top } = shape
  if (view === 'back') return shirtCollar(sheet, cloth, shape, view)
  const low = top + shape.drop
  const well = mirrored(
    path`M0 ${top - 24}C${neck * 0.5} ${top - 24} ${neck * 0.8} ${top - 20} ${neck - 2} ${top - 14}L0 ${low}`,
  )
  const lapel = path`M0 ${low}C${neck * 0.4} ${low - 80} ${neck * 0.7} ${top + 60} ${neck * 0.86} ${top + 24}L${neck + 34} ${top + 92}L${neck + 52} ${top + 128}C${neck * 0.9} ${low - 40} ${neck * 0.5} ${low - 10} 0 ${low}Z`
  const leaf = path`M${neck * 0.6} ${top + 62}C${neck * 0.8} ${top + 30} ${neck} ${top} ${neck - 6} ${top - 18}C${neck + 14} ${top - 8} ${neck + 30} ${top + 14} ${neck + 34} ${top + 34}L${neck + 48} ${top + 92}L${neck + 26} ${top + 100}Z`
  return (
    flat(well, inside(cloth)) +
    bothSides(
      (side) =>
        piece(sheet, cloth, side(lapel), { light: 'left' }) + piece(sheet, cloth, side(leaf), { light: 'left' }),
    )
  )
}

/** A tailored lapel that rolls down to the first button at `low`. */
export function lapels(sheet: Sheet, cloth: Cloth, shape: Shape, view: View, low: number, width = 84): string {
  const { neck, top } = shape
  if (view === 'back') return shirtCollar(sheet, cloth, shape, view)
  const lapel = path`M0 ${low}C${neck * 0.24} ${low - 130} ${neck * 0.7} ${top + 120} ${neck * 0.9} ${top + 40}L${neck + width * 0.5} ${top + 108}L${neck + width} ${top + 124}C${neck + width * 0.8} ${top + 240} ${neck * 0.7} ${low - 70} 0 ${low}Z`
  const leaf = path`M${neck * 0.72} ${top + 92}C${neck * 0.9} ${top + 40} ${neck} ${top} ${neck - 6} ${top - 22}C${neck + 16} ${top - 10} ${neck + 30} ${top + 16} ${neck + 34} ${top + 34}L${neck + width * 0.86} ${top + 96}L${neck + width * 0.5} ${top + 118}Z`
  return bothSides(
    (side) => piece(sheet, cloth, side(lapel), { light: 'left' }) + piece(sheet, cloth, side(leaf), { light: 'left' }),
  )
}

/** A folded roll or a plain funnel. */
export function rollNeck(sheet: Sheet, cloth: Cloth, shape: Shape, height: number): string {
  const { neck, top } = shape
  const roll = mirrored(
    path`M0 ${top - height}C${neck * 0.6} ${top - height} ${neck * 0.9} ${top - height + 4} ${neck - 2} ${top - height + 10}C${neck + 6} ${top - height * 0.5} ${neck + 4} ${top - 10} ${neck + 16} ${top + 14}C${neck * 0.8} ${top + 44} ${neck * 0.4} ${top + 52} 0 ${top + 52}`,
  )
  const mouth = mirrored(
    path`M0 ${top - height - 4}C${neck * 0.6} ${top - height - 4} ${neck * 0.9} ${top - height + 2} ${neck - 2} ${top - height + 10}C${neck * 0.6} ${top - height + 24} ${neck * 0.3} ${top - height + 26} 0 ${top - height + 26}`,
  )
  const creases = fold([-neck, top - height * 0.4], [0, top - height * 0.1], [neck, top - height * 0.45], 9)
  return (
    piece(sheet, { ...cloth, texture: 'rib' }, roll, { folds: creases }) +
    piece(sheet, { hex: inside(cloth), texture: 'rib' }, mouth, { light: 'none', outline: false })
  )
}

/** A stand-up band, as on a grandad shirt or a bomber. */
export function standCollar(sheet: Sheet, cloth: Cloth, shape: Shape, view: View, height: number): string {
  const { neck, top } = shape
  if (view === 'back') {
    return piece(
      sheet,
      cloth,
      mirrored(
        path`M0 ${top - height}C${neck * 0.6} ${top - height} ${neck * 0.9} ${top - height + 6} ${neck - 2} ${top - height + 12}L${neck + 6} ${top + 4}C${neck * 0.6} ${top + 24} ${neck * 0.3} ${top + 26} 0 ${top + 26}`,
      ),
    )
  }
  const low = top + shape.drop
  const well = mirrored(
    path`M0 ${top - height + 6}C${neck * 0.6} ${top - height + 6} ${neck * 0.8} ${top - height + 8} ${neck - 4} ${top - height + 12}L${neck} ${top}L0 ${low}`,
  )
  const leaf = path`M0 ${low + 4}C${neck * 0.55} ${low - 8} ${neck * 0.9} ${top + 40} ${neck + 8} ${top + 2}L${neck - 3} ${top - height + 12}C${neck * 0.8} ${top + 6} ${neck * 0.5} ${low - height * 0.9} 0 ${low - height * 0.8}Z`
  return flat(well, inside(cloth)) + bothSides((side) => piece(sheet, cloth, side(leaf), { light: 'left' }))
}

export function hood(sheet: Sheet, cloth: Cloth, shape: Shape, view: View, cord = true): string {
  const { neck, top } = shape
  if (view === 'back') {
    const bag = mirrored(
      path`M0 ${top - 96}C${neck * 0.9} ${top - 96} ${neck + 40} ${top - 50} ${neck + 42} ${top + 14}C${neck + 40} ${top + 110} ${neck * 0.6} ${top + 196} 0 ${top + 204}`,
    )
    return (
      piece(sheet, cloth, bag, { folds: fold([-neck, top - 40], [0, top + 30], [neck, top - 40], 14) }) +
      seam(cloth, path`M0 ${top - 94}L0 ${top + 202}`)
    )
  }
  const low = top + shape.drop
  const outer = mirrored(
    path`M0 ${top - 168}C${neck} ${top - 168} ${neck + 66} ${top - 110} ${neck + 60} ${top - 20}C${neck + 56} ${top + 20} ${neck + 50} ${top + 46} ${neck + 26} ${top + 60}C${neck * 0.7} ${low + 10} ${neck * 0.3} ${low + 34} 0 ${low + 46}`,
  )
  const opening = mirrored(
    path`M0 ${top - 108}C${neck * 0.8} ${top - 108} ${neck + 8} ${top - 60} ${neck + 2} ${top}C${neck * 0.8} ${top + 50} ${neck * 0.3} ${low} 0 ${low + 10}`,
  )
  const cords = bothSides((side) => {
    const cord = side(path`M26 ${low - 4}C34 ${low + 40} 30 ${low + 90} 36 ${low + 150}`)
    return `<path d="${cord}" fill="none" stroke="${darker(cloth.hex, 0.4)}" stroke-width="12" stroke-linecap="round"/><path d="${cord}" fill="none" stroke="#f1ece2" stroke-width="8" stroke-linecap="round"/>`
  })
  return (
    piece(sheet, cloth, outer, {
      folds:
        fold([-neck - 30, top - 60], [-neck - 10, top], [-neck * 0.4, low + 20], 14) +
        fold([neck + 30, top - 60], [neck + 10, top], [neck * 0.4, low + 20], 14),
    }) +
    piece(sheet, { ...cloth, hex: darker(cloth.hex, 0.3) }, opening, {
      folds: fold([-30, top - 90], [-10, top - 20], [0, low], 26),
    }) +
    seam(cloth, path`M0 ${low + 10}L0 ${low + 46}`) +
    (cord ? cords : '')
  )
}
