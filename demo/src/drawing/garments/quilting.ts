import { darker, lighter } from '../colour.ts'
import { path } from '../path.ts'
import { fold, seam } from '../piece.ts'
import type { Cloth } from '../texture.ts'
import type { Shape } from './body.ts'
import type { OuterPlan } from './outer-plan.ts'

/** The swell of a filled garment between its stitch lines. */
export function quilting(plan: OuterPlan, shape: Shape): string {
  if (plan.quilted !== 'channels') return ''
  const rows: string[] = []
  for (let y = shape.top + 150; y < shape.hem[1] + 20; y += 104) {
    rows.push(
      fold([-280, y - 8], [0, y + 6], [280, y - 8], 18),
      fold([-220, y - 56], [-40, y - 50], [120, y - 56], 18, 'shine'),
    )
  }
  return rows.join('')
}

export function quiltLines(cloth: Cloth, plan: OuterPlan, shape: Shape): string {
  const [hx, hy] = shape.hem
  let d = ''
  if (plan.quilted === 'channels') {
    for (let y = shape.top + 150; y < hy; y += 104)
      d += path`M${-shape.waist[0] + 2} ${y}Q0 ${y + 14} ${shape.waist[0] - 2} ${y}`
    return `<path d="${d}" fill="none" stroke="${darker(cloth.hex, 0.4)}" stroke-width="4" opacity=".7"/><path d="${d}" transform="translate(0 5)" fill="none" stroke="${lighter(cloth.hex, 0.4)}" stroke-width="3" opacity=".4"/>`
  }
  const reach = Math.min(hx, shape.waist[0]) - 8
  const top = shape.top + 110
  for (let y = top; y < hy - 30; y += 76) {
    const rise = Math.min(reach * 2, hy - 30 - y)
    d += path`M${-reach} ${y}L${-reach + rise} ${y + rise}M${reach} ${y}L${reach - rise} ${y + rise}`
  }
  for (let x = -reach + 76; x < reach; x += 76) {
    const right = Math.min(reach - x, hy - 30 - top)
    d += path`M${x} ${top}L${x + right} ${top + right}M${-x} ${top}L${-x - right} ${top + right}`
  }
  return seam(cloth, d, 'stitch')
}
