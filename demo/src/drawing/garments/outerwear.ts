import { darker } from '../colour.ts'
import { path } from '../path.ts'
import { bothSides, centred, flat, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'
import { body, hemStitch, shapeOf, type Shape } from './body.ts'
import { hood, insideBack, lapels, shirtCollar, standCollar, band } from './neck.ts'
import { longSleeve, sleeves, type Sleeve } from './sleeve.ts'
import { closure } from './closures.ts'
import type { OuterPlan } from './outer-plan.ts'
import { quilting, quiltLines } from './quilting.ts'
import { bar, pockets, ribHem } from './trims.ts'

/** Jackets, blazers and coats. */
export function outer(plan: OuterPlan): Garment {
  const { cut = 'men', collar, closing, length = 0, width = 16, ribbed = false } = plan
  const base = shapeOf(cut)
  const long = length > 80
  const roll = collar === 'lapel' ? (closing === 'double' ? 300 : long ? 330 : 380) : collar === 'round' ? 64 : 58
  const lift = long ? -50 : 0
  const shape: Shape = {
    ...base,
    top: base.top + lift,
    drop: roll,
    neckline: collar === 'lapel' ? 'vee' : 'round',
    shoulder: [base.shoulder[0] + width * 0.5 - (plan.sleeveless === true ? 16 : 0), base.shoulder[1] + lift + 2],
    armpit: [base.armpit[0] + width, base.armpit[1] + lift + 8],
    waist: [base.waist[0] + width + (plan.belt === true ? -6 : 4), base.waist[1] + lift - (long ? 20 : 0)],
    hem: [base.hem[0] + width + (long ? 34 : ribbed ? -6 : 6), base.hem[1] - 40 + lift + length - (ribbed ? 60 : 0)],
  }
  const arms: Sleeve = {
    ...longSleeve,
    length: 700,
    width: 60,
    fullness: plan.quilted === 'channels' ? 26 : 6,
    angle: 12,
    cuff: plan.cuff ?? 'hem',
  }
  const start = shape.top + roll
  const low = shape.hem[1] + shape.dip
  return {
    second: 'back',
    focus: { x: 630, y: 440, zoom: 2 },
    floor: { y: long ? 1392 : 1345, width: 390 },
    draw(sheet, cloth, view) {
      const front = view === 'front'
      const collarCloth: Cloth =
        plan.contrastCollar === undefined ? cloth : { hex: plan.contrastCollar, texture: 'corduroy' }
      const parts = [plan.sleeveless === true ? '' : sleeves(sheet, cloth, shape, arms)]
      if (front && collar !== 'hood') parts.push(insideBack(cloth, shape, plan.lining ?? darker(cloth.hex, 0.42), 6))
      parts.push(body(sheet, cloth, shape, view, quilting(plan, shape)))
      if (plan.quilted !== undefined) parts.push(quiltLines(cloth, plan, shape))
      if (ribbed) parts.push(ribHem(sheet, cloth, shape.hem[1] - 6, shape.hem[0] - 2, 72))
      else parts.push(hemStitch(cloth, shape, 24))
      if (front)
        parts.push(
          closure(sheet, cloth, plan, shape, { start, low: ribbed ? low + 54 : low }),
          ...frontPockets(sheet, cloth, plan, shape),
        )
      else parts.push(backSeams(cloth, plan, shape, low))
      if (plan.belt === true) parts.push(belt(cloth, shape, front))
      if (plan.epaulettes === true)
        parts.push(
          bothSides((side) => {
            const [sx, sy] = shape.shoulder
            return (
              flat(
                side(
                  path`M${sx - 8} ${sy + 2}L${sx - 4} ${sy + 32}L${shape.neck + 62} ${shape.top + 50}L${shape.neck + 56} ${shape.top + 24}Z`,
                ),
                darker(cloth.hex, 0.08),
              ) +
              seam(
                cloth,
                side(
                  path`M${sx - 4} ${sy + 32}L${shape.neck + 62} ${shape.top + 50}L${shape.neck + 56} ${shape.top + 24}`,
                ),
              )
            )
          }),
        )
      parts.push(collarOf(sheet, cloth, collarCloth, plan, shape, view, start))
      return centred(parts.join(''))
    },
  }
}

function collarOf(
  sheet: Sheet,
  cloth: Cloth,
  collarCloth: Cloth,
  plan: OuterPlan,
  shape: Shape,
  view: 'front' | 'back',
  start: number,
): string {
  const collars = {
    lapel: () => lapels(sheet, cloth, shape, view, start, plan.closing === 'double' ? 104 : 80),
    shirt: () => shirtCollar(sheet, collarCloth, shape, view),
    stand: () => standCollar(sheet, plan.ribbed === true ? { ...cloth, texture: 'rib' } : cloth, shape, view, 48),
    hood: () => hood(sheet, cloth, shape, view, plan.closing === 'zip' && plan.quilted === undefined),
    round: () => (view === 'front' ? band({ ...cloth, texture: 'plain' }, shape, view, 12) : ''),
  }
  return collars[plan.collar]()
}

function frontPockets(sheet: Sheet, cloth: Cloth, plan: OuterPlan, shape: Shape): string[] {
  const long = (plan.length ?? 0) > 80
  const y = shape.waist[1] + (long ? 90 : 50)
  const out: string[] = []
  if (plan.chestPockets === true)
    out.push(pockets(sheet, cloth, { kind: 'flap', x: 124, y: shape.top + 230, width: 118, height: 132 }))
  if (plan.pocket === 'slant') {
    out.push(
      bothSides(
        (side) =>
          seam(cloth, side(path`M150 ${y - 30}L182 ${y + 110}`)) +
          seam(cloth, side(path`M140 ${y - 28}L172 ${y + 112}`), 'stitch') +
          flat(side(path`M140 ${y - 28}L150 ${y - 30}L182 ${y + 110}L172 ${y + 112}Z`), '#000', 0.12),
      ),
    )
  } else if (plan.pocket === 'welt')
    out.push(pockets(sheet, cloth, { kind: 'welt', x: 146, y, width: 118, height: 26, lean: 8 }))
  else if (plan.pocket === 'flap') out.push(pockets(sheet, cloth, { kind: 'flap', x: 144, y, width: 128, height: 50 }))
  else if (plan.pocket !== undefined && plan.pocket !== 'none')
    out.push(pockets(sheet, cloth, { kind: plan.pocket, x: 136, y: y - 20, width: 142, height: 170 }))
  if (plan.collar === 'lapel' && !long)
    out.push(
      flat(
        path`M112 ${shape.top + 262}L186 ${shape.top + 250}L186 ${shape.top + 274}L112 ${shape.top + 286}Z`,
        darker(cloth.hex, 0.08),
      ) +
        seam(
          cloth,
          path`M112 ${shape.top + 262}L186 ${shape.top + 250}L186 ${shape.top + 274}L112 ${shape.top + 286}Z`,
        ),
    )
  return out
}

function backSeams(cloth: Cloth, plan: OuterPlan, shape: Shape, low: number): string {
  if (plan.quilted !== undefined) return ''
  if (plan.collar === 'lapel')
    return (
      seam(cloth, path`M0 ${shape.top + 36}L0 ${low}`) + flat(path`M0 ${low - 240}L10 ${low}L0 ${low}Z`, '#000', 0.25)
    )
  const yoke = shape.top + 140
  return (
    seam(cloth, path`M${-shape.shoulder[0] + 14} ${yoke}Q0 ${yoke + 16} ${shape.shoulder[0] - 14} ${yoke}`) +
    seam(
      cloth,
      path`M${-shape.shoulder[0] + 14} ${yoke + 9}Q0 ${yoke + 25} ${shape.shoulder[0] - 14} ${yoke + 9}`,
      'stitch',
    )
  )
}

function belt(cloth: Cloth, shape: Shape, front: boolean): string {
  const [wx, wy] = shape.waist
  const strip = path`M${-wx - 5} ${wy - 26}Q0 ${wy - 12} ${wx + 5} ${wy - 26}L${wx + 5} ${wy + 20}Q0 ${wy + 34} ${-wx - 5} ${wy + 20}Z`
  const band = flat(strip, darker(cloth.hex, 0.1)) + seam(cloth, strip)
  if (!front) return band
  const tail = path`M-20 ${wy + 20}L24 ${wy + 22}L70 ${wy + 214}L26 ${wy + 226}Z`
  return (
    band +
    flat(tail, darker(cloth.hex, 0.06)) +
    seam(cloth, tail) +
    bar(-32, wy - 24, 64, 56, { ...cloth, hex: darker(cloth.hex, 0.32) }) +
    bar(-18, wy - 10, 36, 28, cloth)
  )
}
