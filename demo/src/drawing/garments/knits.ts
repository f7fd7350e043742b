import { darker } from '../colour.ts'
import { path } from '../path.ts'
import { bothSides, centred, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import type { Cloth } from '../texture.ts'
import { body, shapeOf, type Cut, type Shape } from './body.ts'
import { band, hood, insideBack, rollNeck } from './neck.ts'
import { longSleeve, sleeves, type Sleeve } from './sleeve.ts'
import { buttons, opening, pocket, pockets, ribHem, zip } from './trims.ts'

const floor = { y: 1340, width: 380 }

export interface KnitPlan {
  cut?: Cut
  neckline?: 'crew' | 'vee' | 'roll' | 'half-zip' | 'cardigan' | 'hood' | 'vest'
  width?: number
  length?: number
  fullness?: number
  kangaroo?: boolean
  patchPockets?: boolean
  buttonColour?: string
  raglan?: boolean
}

/** Sweaters, cardigans, sweatshirts and hoodies: everything with a ribbed hem. */
export function knit(plan: KnitPlan = {}): Garment {
  const { cut = 'women', neckline = 'crew', width = 18, length = 0, fullness = 14 } = plan
  const base = shapeOf(cut)
  const closed = neckline === 'roll' || neckline === 'half-zip'
  const deep = neckline === 'vee' || neckline === 'vest' ? 150 : neckline === 'cardigan' ? 250 : 64
  const vest = neckline === 'vest'
  const shape: Shape = {
    ...base,
    drop: closed ? 40 : deep,
    neckline: deep > 100 ? 'vee' : 'round',
    shoulder: [base.shoulder[0] + (vest ? -22 : width * 0.7), base.shoulder[1] + (vest ? -4 : width * 0.3)],
    armpit: [base.armpit[0] + width, base.armpit[1] + width],
    waist: [base.waist[0] + width + 6, base.waist[1]],
    hem: [base.hem[0] + width - 8, base.hem[1] - 90 + length],
  }
  const arms: Sleeve = { ...longSleeve, length: 700, width: 52, fullness, cuff: 'rib' }
  const start = shape.top + shape.drop
  const low = shape.hem[1] + 70
  const shade = (cloth: Cloth): Cloth => ({ ...cloth, hex: darker(cloth.hex, 0.03) })
  return {
    second: 'back',
    focus: { x: 640, y: 460, zoom: 2 },
    floor,
    draw(sheet, cloth, view) {
      const front = view === 'front'
      const limbs = vest ? '' : sleeves(sheet, cloth, shape, arms)
      const hem = ribHem(sheet, shade(cloth), shape.hem[1] - 4, shape.hem[0] - 2, 74)
      const parts = [limbs, front ? insideBack(cloth, shape) : '', body(sheet, cloth, shape, view), hem]
      if (plan.raglan === true) {
        parts.push(
          bothSides((side) =>
            seam(
              cloth,
              side(
                path`M${shape.neck + 10} ${shape.top + 24}C${shape.neck + 50} ${shape.top + 110} ${shape.armpit[0] - 60} ${shape.armpit[1] - 90} ${shape.armpit[0] - 4} ${shape.armpit[1]}`,
              ),
            ),
          ),
        )
      }
      if (vest)
        parts.push(
          bothSides((side) => {
            const [sx, sy] = shape.shoulder
            const [ax, ay] = shape.armpit
            const arm = side(path`M${sx - 6} ${sy + 2}C${sx - 22} ${sy + 100} ${ax - 24} ${ay - 80} ${ax - 4} ${ay}`)
            return `<path d="${arm}" fill="none" stroke="${darker(cloth.hex, 0.35)}" stroke-width="27"/><path d="${arm}" fill="none" stroke="${cloth.hex}" stroke-width="22"/>`
          }),
        )
      if (front && plan.kangaroo === true) {
        const y = shape.hem[1] - 250
        const bag = path`M-104 ${y}L104 ${y}L166 ${y + 150}L166 ${y + 246}L-166 ${y + 246}L-166 ${y + 150}Z`
        parts.push(
          `<path d="${bag}" fill="${darker(cloth.hex, 0.05)}"/>`,
          seam(cloth, bag),
          seam(cloth, path`M-92 ${y + 10}L-152 ${y + 152}`, 'stitch'),
          seam(cloth, path`M92 ${y + 10}L152 ${y + 152}`, 'stitch'),
        )
      }
      if (neckline === 'roll') parts.push(rollNeck(sheet, cloth, shape, 92))
      else if (neckline === 'half-zip')
        parts.push(rollNeck(sheet, cloth, shape, 62), front ? zip(cloth, shape.top - 44, shape.top + 230) : '')
      else if (neckline === 'hood') parts.push(hood(sheet, cloth, shape, view))
      else if (neckline === 'cardigan' && front) {
        parts.push(
          band(cloth, shape, view, 40),
          opening(cloth, start + 26, low + 14, -22),
          opening(cloth, start + 26, low + 14, 22),
          buttons(0, start + 40, low - 24, 5, 12, plan.buttonColour ?? darker(cloth.hex, 0.45)),
        )
        if (plan.patchPockets === true)
          parts.push(pockets(sheet, cloth, { kind: 'patch', x: 122, y: shape.hem[1] - 190, width: 120, height: 140 }))
      } else parts.push(band(cloth, shape, view, 34))
      if (front && neckline === 'crew' && plan.patchPockets === true)
        parts.push(pocket(sheet, cloth, { kind: 'patch', x: 100, y: shape.top + 210, width: 100, height: 112 }))
      return centred(parts.join(''))
    },
  }
}
