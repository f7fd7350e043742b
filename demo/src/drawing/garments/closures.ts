import { darker } from '../colour.ts'
import { path } from '../path.ts'
import { flat } from '../piece.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'
import type { Shape } from './body.ts'
import type { OuterPlan } from './outer-plan.ts'
import { buttons, opening, placket, zip } from './trims.ts'

/** Where a jacket closes: from the neckline down to the hem. */
interface Front {
  start: number
  low: number
}

export function closure(sheet: Sheet, cloth: Cloth, plan: OuterPlan, shape: Shape, { start, low }: Front): string {
  const horn = plan.buttonColour ?? darker(cloth.hex, 0.5)
  const last = Math.min(low - 120, shape.waist[1] + 190)
  const two = plan.collar === 'lapel' && (plan.length ?? 0) < 80
  const closings = {
    zip: () => zip(cloth, start - 10, low - 4),
    snaps: () =>
      placket(sheet, cloth, start, low - 2, 30) +
      buttons(0, start + 46, low - 60, 6, 9, plan.buttonColour ?? '#8d8577'),
    double: () =>
      opening(cloth, start, low - 4, 86) +
      buttons(52, start + 30, last - 40, 3, 14, horn) +
      buttons(-52, start + 30, last - 40, 3, 14, horn),
    single: () =>
      opening(cloth, start, low - 4, 22) + buttons(0, start + 26, two ? start + 150 : last, two ? 2 : 4, 13, horn),
    toggles: () =>
      opening(cloth, start, low - 4, 20) + [0, 1, 2, 3].map((row) => toggle(start + 70 + row * 130)).join(''),
  }
  return closings[plan.closing]()
}

/** A wooden toggle on a loop, held by leather patches. */
function toggle(y: number): string {
  const left = path`M-92 ${y - 18}L-60 ${y - 18}L-60 ${y + 18}L-92 ${y + 18}Z`
  const right = path`M60 ${y - 18}L92 ${y - 18}L92 ${y + 18}L60 ${y + 18}Z`
  return (
    flat(path`M-74 ${y - 6}L74 ${y - 6}L74 ${y + 6}L-74 ${y + 6}Z`, '#4c3a2a') +
    flat(left + right, '#5d4733') +
    `<rect x="-30" y="${y - 9}" width="60" height="18" rx="9" fill="#c9a26b" stroke="#6d5230" stroke-width="2"/>`
  )
}
