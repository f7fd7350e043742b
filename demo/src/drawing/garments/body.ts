import { path, mirrored } from '../path.ts'
import { fold, folds, piece, seam } from '../piece.ts'
import type { View } from '../garment.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'

/** The measurements of a top, dress or coat, right half; y grows downwards, x = 0 is the centre line. */
export interface Shape {
  neck: number
  top: number
  shoulder: [number, number]
  armpit: [number, number]
  waist: [number, number]
  hem: [number, number]
  /** How far the hem dips in the middle; negative for a shirt tail that rises at the sides. */
  dip: number
  /** Depth of the neckline below the shoulder. */
  drop: number
  neckline: 'round' | 'vee' | 'square' | 'boat'
  /** Arm length compared with a grown-up's. */
  arm: number
}

const womens: Shape = {
  neck: 84,
  top: 292,
  shoulder: [204, 342],
  armpit: [196, 560],
  waist: [186, 780],
  hem: [208, 1080],
  dip: 10,
  drop: 74,
  neckline: 'round',
  arm: 1,
}

const mens: Shape = {
  neck: 84,
  top: 286,
  shoulder: [236, 346],
  armpit: [226, 592],
  waist: [224, 820],
  hem: [230, 1140],
  dip: 8,
  drop: 62,
  neckline: 'round',
  arm: 1,
}

const childrens: Shape = {
  neck: 82,
  top: 370,
  shoulder: [190, 414],
  armpit: [186, 600],
  waist: [190, 780],
  hem: [200, 1010],
  dip: 8,
  drop: 60,
  neckline: 'round',
  arm: 0.76,
}

export type Cut = 'women' | 'men' | 'kids'

const cuts: Record<Cut, Shape> = { women: womens, men: mens, kids: childrens }

export function shapeOf(cut: Cut, changes: Partial<Shape> = {}): Shape {
  return { ...cuts[cut], ...changes }
}

/** The neckline curve from the centre front out to the side of the neck. */
export function neckCurve(shape: Shape, view: View): string {
  const { neck, top } = shape
  if (view === 'back') return path`M0 ${top + 20}C${neck * 0.5} ${top + 20} ${neck * 0.9} ${top + 12} ${neck} ${top}`
  const low = top + shape.drop
  if (shape.neckline === 'vee')
    return path`M0 ${low}C${neck * 0.3} ${low - shape.drop * 0.34} ${neck * 0.9} ${top + shape.drop * 0.3} ${neck} ${top}`
  if (shape.neckline === 'square')
    return path`M0 ${low}L${neck * 0.82} ${low - 2}C${neck * 0.9} ${low - 20} ${neck * 0.96} ${top + 20} ${neck} ${top}`
  if (shape.neckline === 'boat')
    return path`M0 ${low}C${neck * 0.6} ${low} ${neck * 0.86} ${top + shape.drop * 0.6} ${neck} ${top}`
  return path`M0 ${low}C${neck * 0.62} ${low} ${neck * 0.96} ${top + shape.drop * 0.6} ${neck} ${top}`
}

export function bodyOutline(shape: Shape, view: View): string {
  const { shoulder, armpit, waist, hem, dip } = shape
  const [sx, sy] = shoulder
  const [ax, ay] = armpit
  const [wx, wy] = waist
  const [hx, hy] = hem
  const arm = path`L${sx - 10} ${sy - 5}Q${sx + 2} ${sy + 2} ${sx} ${sy + 18}C${sx - 20} ${sy + 90} ${ax - 20} ${ay - 70} ${ax} ${ay}`
  const side = path`C${ax - 3} ${ay + (wy - ay) * 0.4} ${wx} ${wy - (wy - ay) * 0.4} ${wx} ${wy}C${wx} ${wy + (hy - wy) * 0.4} ${hx - 2} ${hy - (hy - wy) * 0.35} ${hx} ${hy}`
  const tail =
    dip > 30
      ? path`C${hx - 6} ${hy + dip * 0.5} ${hx * 0.62} ${hy + dip} 0 ${hy + dip}`
      : path`C${hx * 0.7} ${hy + dip * 0.6} ${hx * 0.3} ${hy + dip} 0 ${hy + dip}`
  return mirrored(neckCurve(shape, view) + arm + side + tail)
}

/** The front or back panel with its folds, and the inside of the back seen through the neckline. */
export function body(sheet: Sheet, cloth: Cloth, shape: Shape, view: View, extraFolds = ''): string {
  const { armpit, waist, hem } = shape
  const soft = folds(
    [[armpit[0] + 6, armpit[1] - 30], [armpit[0] * 0.6, armpit[1] + 40], [armpit[0] * 0.3, armpit[1] + 130], 13],
    [[armpit[0], armpit[1] + 20], [waist[0] * 0.72, waist[1] - 60], [waist[0] * 0.55, waist[1] + 120], 16],
    [[hem[0] * 0.72, hem[1] + 20], [hem[0] * 0.66, hem[1] - 130], [hem[0] * 0.78, hem[1] - 300], 15],
    [[hem[0] * 0.52, hem[1] + 20], [hem[0] * 0.5, hem[1] - 110], [hem[0] * 0.58, hem[1] - 240], 12, 'shine'],
  )
  const uneven = fold([-hem[0] * 0.2, hem[1] + 20], [-hem[0] * 0.3, hem[1] - 160], [-hem[0] * 0.14, hem[1] - 330], 12)
  return piece(sheet, cloth, bodyOutline(shape, view), { folds: soft + uneven + extraFolds })
}

/** A row of stitches just above the hem. */
export function hemStitch(cloth: Cloth, shape: Shape, rise = 20): string {
  const [hx, hy] = shape.hem
  const half = path`M${-hx + 2} ${hy - rise}C${-hx * 0.6} ${hy + shape.dip - rise} ${hx * 0.6} ${hy + shape.dip - rise} ${hx - 2} ${hy - rise}`
  return seam(cloth, half, 'stitch')
}
