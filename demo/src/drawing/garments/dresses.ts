import { mirrored, path } from '../path.ts'
import { bothSides, centred, flat, fold, folds, piece, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'
import { bodyOutline, shapeOf, type Shape } from './body.ts'
import { band, campCollar, insideBack, shirtCollar } from './neck.ts'
import { longSleeve, shortSleeve, sleeves, type Sleeve } from './sleeve.ts'
import { buttons, opening, placket } from './trims.ts'

export interface DressPlan {
  neckline?: 'round' | 'vee' | 'square' | 'collar' | 'straps' | 'wrap' | 'crew'
  sleeve?: 'none' | 'short' | 'puff' | 'long' | 'bishop'
  /** How wide the skirt falls. */
  skirt?: 'column' | 'line' | 'full'
  /** Knee, midi or ankle. */
  length?: 'mini' | 'midi' | 'maxi'
  waistline?: 'none' | 'seam' | 'tie' | 'elastic'
  tiers?: boolean
  buttons?: boolean
}

const lengths = { mini: 960, midi: 1130, maxi: 1226 }
const sweeps = { column: 168, line: 238, full: 318 }
const arms: Record<'short' | 'puff' | 'long' | 'bishop', Sleeve> = {
  short: { ...shortSleeve, length: 180, width: 66 },
  puff: { ...shortSleeve, length: 236, angle: 22, width: 50, fullness: 40, cuff: 'band' },
  long: { ...longSleeve, length: 530, width: 36 },
  bishop: { ...longSleeve, length: 540, width: 36, fullness: 34, cuff: 'band' },
}

export function dress(plan: DressPlan = {}): Garment {
  const { neckline = 'round', sleeve = 'short', skirt = 'line', length = 'midi', waistline = 'seam' } = plan
  const straps = neckline === 'straps'
  const drops = { round: 92, crew: 58, vee: 170, wrap: 200, square: 116, collar: 62, straps: 20 }
  const shape: Shape = shapeOf('women', {
    top: straps ? 300 : 208,
    neck: straps ? 84 : neckline === 'square' ? 96 : neckline === 'round' ? 82 : 72,
    drop: drops[neckline],
    neckline: neckline === 'vee' || neckline === 'wrap' ? 'vee' : neckline === 'square' ? 'square' : 'round',
    shoulder: straps ? [112, 312] : sleeve === 'none' ? [138, 240] : [166, 250],
    armpit: [158, 424],
    waist: [waistline === 'none' ? 148 : 132, 600],
    hem: [sweeps[skirt], lengths[length]],
    dip: skirt === 'column' ? 8 : 22,
  })
  return {
    second: 'back',
    focus: { x: 620, y: 500, zoom: 1.9 },
    floor: { y: 1382, width: skirt === 'full' ? 420 : 330 },
    draw(sheet, cloth, view) {
      const front = view === 'front'
      const parts = [sleeve === 'none' || straps ? '' : sleeves(sheet, cloth, shape, arms[sleeve])]
      if (straps) parts.push(shoulderStraps(cloth, shape))
      if (front && !straps) parts.push(insideBack(cloth, shape))
      parts.push(piece(sheet, cloth, bodyOutline(shape, view), { folds: drape(shape, skirt) }))
      parts.push(
        seam(
          cloth,
          path`M${-shape.hem[0] + 6} ${shape.hem[1] - 20}Q0 ${shape.hem[1] + shape.dip + 2} ${shape.hem[0] - 6} ${shape.hem[1] - 20}`,
          'stitch',
        ),
      )
      parts.push(waist(sheet, cloth, shape, waistline, front))
      if (plan.tiers === true) parts.push(tiers(cloth, shape))
      if (front && neckline === 'wrap') {
        const [wx, wy] = shape.waist
        parts.push(
          seam(
            cloth,
            path`M${shape.neck} ${shape.top}C${shape.neck * 0.4} ${shape.top + 130} ${-wx * 0.5} ${wy - 70} ${-wx + 6} ${wy}`,
          ),
          seam(cloth, path`M${-wx * 0.6} ${wy + 20}C${-20} ${wy + 200} 60 ${wy + 300} 96 ${shape.hem[1] + 12}`),
        )
      }
      if (front && neckline === 'collar') {
        const start = shape.top + shape.drop
        const low = shape.hem[1] + shape.dip - 2
        parts.push(
          placket(sheet, cloth, start, low, 22),
          buttons(0, start + 46, low - 90, 9, 8.5),
          shirtCollar(sheet, cloth, shape, view),
        )
      } else if (neckline === 'collar') parts.push(campCollar(sheet, cloth, shape, view))
      else if (front && plan.buttons === true) {
        const start = shape.top + shape.drop
        parts.push(
          opening(cloth, start, shape.hem[1] + shape.dip - 4, 20),
          buttons(0, start + 24, shape.hem[1] - 120, 10, 8.5),
        )
      } else if (!front && !straps) parts.push(seam(cloth, path`M0 ${shape.top + 20}L0 ${shape.waist[1] + 60}`))
      if (neckline === 'crew') parts.push(band(cloth, shape, view, 24))
      return centred(parts.join(''))
    },
  }
}

function drape(shape: Shape, skirt: 'column' | 'line' | 'full'): string {
  const [hx, hy] = shape.hem
  const [wx, wy] = shape.waist
  const depth = skirt === 'full' ? 22 : skirt === 'line' ? 17 : 12
  return (
    folds(
      [[wx * 0.2, wy], [hx * 0.2, hy - 200], [hx * 0.3, hy + 40], depth],
      [[wx * 0.5, wy + 10], [hx * 0.44, hy - 260], [hx * 0.6, hy + 40], depth],
      [[wx * 0.75, wy + 10], [hx * 0.7, hy - 260], [hx * 0.86, hy + 40], depth],
      [[wx * 0.36, wy + 30], [hx * 0.34, hy - 240], [hx * 0.45, hy + 40], depth * 0.8, 'shine'],
      [[shape.armpit[0], shape.armpit[1]], [wx * 0.8, wy - 120], [wx * 0.5, wy - 20], 12],
      [[wx * 0.5, wy - 10], [wx * 0.5, wy - 70], [wx * 0.62, wy - 140], 9],
    ) + fold([-wx, wy - 40], [0, wy - 10], [wx * 0.7, wy - 36], 10)
  )
}

function shoulderStraps(cloth: Cloth, shape: Shape): string {
  return bothSides((side) => {
    const strap = side(
      path`M${shape.neck - 2} ${shape.top + 24}C${shape.neck - 6} ${shape.top - 60} ${shape.neck - 14} ${shape.top - 110} ${shape.neck - 22} ${shape.top - 130}L${shape.neck - 8} ${shape.top - 134}C${shape.neck + 6} ${shape.top - 100} ${shape.neck + 14} ${shape.top - 50} ${shape.neck + 18} ${shape.top + 24}Z`,
    )
    return flat(strap, cloth.hex) + seam(cloth, strap)
  })
}

function waist(
  sheet: Sheet,
  cloth: Cloth,
  shape: Shape,
  kind: 'none' | 'seam' | 'tie' | 'elastic',
  front: boolean,
): string {
  const [wx, wy] = shape.waist
  if (kind === 'none') return ''
  if (kind === 'seam') return seam(cloth, path`M${-wx} ${wy}Q0 ${wy + 14} ${wx} ${wy}`)
  const strip = mirrored(
    path`M0 ${wy - 16}C${wx * 0.5} ${wy - 16} ${wx * 0.9} ${wy - 22} ${wx + 3} ${wy - 26}L${wx + 3} ${wy + 14}C${wx * 0.9} ${wy + 18} ${wx * 0.5} ${wy + 26} 0 ${wy + 26}`,
  )
  if (kind === 'elastic') return piece(sheet, { ...cloth, texture: 'rib' }, strip)
  const belt = piece(sheet, { hex: cloth.hex, texture: 'plain' }, strip)
  if (!front) return belt
  const bow = path`M60 ${wy}C100 ${wy - 70} 170 ${wy - 50} 150 ${wy - 6}C130 ${wy + 30} 90 ${wy + 20} 60 ${wy + 4}Z`
  const other = path`M60 ${wy}C30 ${wy - 60} -30 ${wy - 40} -14 ${wy - 2}C2 ${wy + 26} 40 ${wy + 18} 60 ${wy + 4}Z`
  const tails = path`M54 ${wy + 6}C60 ${wy + 90} 44 ${wy + 150} 36 ${wy + 210}L66 ${wy + 216}C78 ${wy + 140} 76 ${wy + 80} 70 ${wy + 6}Z`
  const draw = (d: string): string => piece(sheet, { hex: cloth.hex, texture: 'plain' }, d, { light: 'down' })
  return (
    belt + draw(tails) + draw(bow) + draw(other) + draw(path`M48 ${wy - 14}L74 ${wy - 14}L76 ${wy + 18}L46 ${wy + 18}Z`)
  )
}

function tiers(cloth: Cloth, shape: Shape): string {
  const [hx, hy] = shape.hem
  const [wx, wy] = shape.waist
  return [0.36, 0.68]
    .map((share) => {
      const x = wx + (hx - wx) * share * 0.82
      const y = wy + (hy - wy) * share
      let gathers = ''
      for (let step = -8; step <= 8; step += 1)
        gathers += path`M${(x * step) / 8.6} ${y + 18}L${(x * step) / 8.2} ${y + 52}`
      return (
        seam(cloth, path`M${-x} ${y}Q0 ${y + 26} ${x} ${y}`) +
        `<path d="${gathers}" stroke="#000" opacity=".16" stroke-width="4" stroke-linecap="round"/>`
      )
    })
    .join('')
}
