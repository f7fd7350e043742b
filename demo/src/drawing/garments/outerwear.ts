import { darker, lighter } from '../colour.ts'
import { path } from '../path.ts'
import { bothSides, centred, flat, fold, seam } from '../piece.ts'
import type { Cloth, Garment, Sheet } from '../sheet.ts'
import { body, hemStitch, shapeOf, type Cut, type Shape } from './body.ts'
import { hood, insideBack, lapels, rollNeck, shirtCollar, standCollar, band } from './neck.ts'
import { longSleeve, sleeves, type Sleeve } from './sleeve.ts'
import { bar, button, buttons, opening, placket, pockets, ribHem, zip, type Pocket } from './trims.ts'

export interface OuterPlan {
  cut?: Cut
  collar: 'lapel' | 'shirt' | 'stand' | 'hood' | 'round' | 'funnel'
  closing: 'single' | 'double' | 'zip' | 'snaps' | 'open' | 'toggles'
  /** Where the hem falls, added to the hip. */
  length?: number
  width?: number
  pocket?: Pocket['kind'] | 'slant' | 'none'
  chestPockets?: boolean
  belt?: boolean
  ribbed?: boolean
  quilted?: 'channels' | 'diamonds'
  cuff?: Sleeve['cuff']
  buttonColour?: string
  lining?: string
  contrastCollar?: string
  sleeveless?: boolean
  epaulettes?: boolean
}

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
  const arms: Sleeve = { ...longSleeve, length: 700, width: 60, fullness: plan.quilted === 'channels' ? 26 : 6, angle: 12, cuff: plan.cuff ?? 'hem' }
  const start = shape.top + roll
  const low = shape.hem[1] + shape.dip
  const edge = closing === 'double' ? 86 : 0
  return {
    second: 'back',
    focus: { x: 630, y: 440, zoom: 2 },
    floor: { y: long ? 1392 : 1345, width: 390 },
    draw(sheet, cloth, view) {
      const front = view === 'front'
      const collarCloth: Cloth = plan.contrastCollar === undefined ? cloth : { hex: plan.contrastCollar, texture: 'corduroy' }
      const parts = [plan.sleeveless === true ? '' : sleeves(sheet, cloth, shape, arms)]
      if (front && collar !== 'hood') parts.push(insideBack(cloth, shape, plan.lining ?? darker(cloth.hex, 0.42), 8))
      parts.push(body(sheet, cloth, shape, view, quilting(plan, shape)))
      if (plan.quilted !== undefined) parts.push(quiltLines(cloth, plan, shape))
      if (ribbed) parts.push(ribHem(sheet, cloth, shape.hem[1] - 6, shape.hem[0] - 2, 72))
      else parts.push(hemStitch(cloth, shape, 24))
      if (front) parts.push(closure(sheet, cloth, plan, shape, start, ribbed ? low + 54 : low, edge), ...frontPockets(sheet, cloth, plan, shape))
      else parts.push(backSeams(cloth, plan, shape, low))
      if (plan.belt === true) parts.push(belt(sheet, cloth, shape, front))
      if (plan.epaulettes === true) parts.push(bothSides((side) => {
        const [sx, sy] = shape.shoulder
        return flat(side(path`M${sx - 8} ${sy + 2}L${sx - 4} ${sy + 32}L${shape.neck + 62} ${shape.top + 50}L${shape.neck + 56} ${shape.top + 24}Z`), darker(cloth.hex, 0.08)) + seam(cloth, side(path`M${sx - 4} ${sy + 32}L${shape.neck + 62} ${shape.top + 50}L${shape.neck + 56} ${shape.top + 24}`))
      }))
      parts.push(collarOf(sheet, cloth, collarCloth, plan, shape, view, start))
      return centred(parts.join(''))
    },
  }
}

function collarOf(sheet: Sheet, cloth: Cloth, collarCloth: Cloth, plan: OuterPlan, shape: Shape, view: 'front' | 'back', start: number): string {
  switch (plan.collar) {
    case 'lapel':
      return lapels(sheet, cloth, shape, view, start, plan.closing === 'double' ? 104 : 80)
    case 'shirt':
      return shirtCollar(sheet, collarCloth, shape, view)
    case 'stand':
      return standCollar(sheet, plan.ribbed === true ? { ...cloth, texture: 'rib' } : cloth, shape, view, 48)
    case 'funnel':
      return rollNeck(sheet, cloth, { ...shape, drop: 40 }, 70) + (view === 'front' && plan.closing === 'zip' ? zip(cloth, shape.top - 56, shape.top + 120) : '')
    case 'hood':
      return hood(sheet, cloth, shape, view)
    case 'round':
      return view === 'front' ? band({ ...cloth, texture: 'plain' }, shape, view, 12) : ''
  }
}

function closure(sheet: Sheet, cloth: Cloth, plan: OuterPlan, shape: Shape, start: number, low: number, edge: number): string {
  const horn = plan.buttonColour ?? darker(cloth.hex, 0.5)
  const last = Math.min(low - 120, shape.waist[1] + 190)
  switch (plan.closing) {
    case 'zip':
      return zip(cloth, start - 10, low - 4)
    case 'snaps':
      return placket(sheet, cloth, start, low - 2, 30) + buttons(0, start + 46, low - 60, 6, 9, plan.buttonColour ?? '#8d8577')
    case 'double':
      return opening(cloth, start, low - 4, edge) + buttons(edge - 34, start + 30, last - 40, 3, 14, horn) + buttons(-edge + 34, start + 30, last - 40, 3, 14, horn)
    case 'single': {
      const count = plan.collar === 'lapel' && (plan.length ?? 0) < 80 ? 2 : 4
      return opening(cloth, start, low - 4, 22) + buttons(0, start + 26, count === 2 ? start + 150 : last, count, 13, horn)
    }
    case 'toggles': {
      const rows = [0, 1, 2, 3].map((row) => {
        const y = start + 70 + row * 130
        return (
          flat(path`M-74 ${y - 6}L74 ${y - 6}L74 ${y + 6}L-74 ${y + 6}Z`, '#4c3a2a') +
          flat(path`M-92 ${y - 18}L-60 ${y - 18}L-60 ${y + 18}L-92 ${y + 18}ZM60 ${y - 18}L92 ${y - 18}L92 ${y + 18}L60 ${y + 18}Z`, '#5d4733') +
          `<rect x="-30" y="${y - 9}" width="60" height="18" rx="9" fill="#c9a26b" stroke="#6d5230" stroke-width="2"/>`
        )
      })
      return opening(cloth, start, low - 4, 20) + rows.join('')
    }
    case 'open':
      return flat(path`M-8 ${start}L8 ${start}L26 ${low}L-26 ${low}Z`, darker(cloth.hex, 0.55)) + seam(cloth, path`M-8 ${start}L-26 ${low}`) + seam(cloth, path`M8 ${start}L26 ${low}`)
  }
}

function frontPockets(sheet: Sheet, cloth: Cloth, plan: OuterPlan, shape: Shape): string[] {
  const long = (plan.length ?? 0) > 80
  const y = shape.waist[1] + (long ? 90 : 50)
  const out: string[] = []
  if (plan.chestPockets === true) out.push(pockets(sheet, cloth, { kind: 'flap', x: 124, y: shape.top + 230, width: 118, height: 132 }))
  if (plan.pocket === 'slant') {
    out.push(bothSides((side) => seam(cloth, side(path`M150 ${y - 30}L182 ${y + 110}`)) + seam(cloth, side(path`M140 ${y - 28}L172 ${y + 112}`), 'stitch') + flat(side(path`M140 ${y - 28}L150 ${y - 30}L182 ${y + 110}L172 ${y + 112}Z`), '#000', 0.12)))
  } else if (plan.pocket === 'welt') out.push(pockets(sheet, cloth, { kind: 'welt', x: 146, y, width: 118, height: 26, lean: 8 }))
  else if (plan.pocket === 'flap') out.push(pockets(sheet, cloth, { kind: 'flap', x: 144, y, width: 128, height: 50 }))
  else if (plan.pocket !== undefined && plan.pocket !== 'none') out.push(pockets(sheet, cloth, { kind: plan.pocket, x: 136, y: y - 20, width: 142, height: 170 }))
  if (plan.collar === 'lapel' && !long) out.push(flat(path`M112 ${shape.top + 262}L186 ${shape.top + 250}L186 ${shape.top + 274}L112 ${shape.top + 286}Z`, darker(cloth.hex, 0.08)) + seam(cloth, path`M112 ${shape.top + 262}L186 ${shape.top + 250}L186 ${shape.top + 274}L112 ${shape.top + 286}Z`))
  return out
}

function backSeams(cloth: Cloth, plan: OuterPlan, shape: Shape, low: number): string {
  if (plan.quilted !== undefined) return ''
  if (plan.collar === 'lapel') return seam(cloth, path`M0 ${shape.top + 36}L0 ${low}`) + flat(path`M0 ${low - 240}L10 ${low}L0 ${low}Z`, '#000', 0.25)
  const yoke = shape.top + 140
  return seam(cloth, path`M${-shape.shoulder[0] + 14} ${yoke}Q0 ${yoke + 16} ${shape.shoulder[0] - 14} ${yoke}`) + seam(cloth, path`M${-shape.shoulder[0] + 14} ${yoke + 9}Q0 ${yoke + 25} ${shape.shoulder[0] - 14} ${yoke + 9}`, 'stitch')
}

function belt(sheet: Sheet, cloth: Cloth, shape: Shape, front: boolean): string {
  void sheet
  const [wx, wy] = shape.waist
  const strip = path`M${-wx - 5} ${wy - 26}Q0 ${wy - 12} ${wx + 5} ${wy - 26}L${wx + 5} ${wy + 20}Q0 ${wy + 34} ${-wx - 5} ${wy + 20}Z`
  const band = flat(strip, darker(cloth.hex, 0.1)) + seam(cloth, strip)
  if (!front) return band
  const tail = path`M-20 ${wy + 20}L24 ${wy + 22}L70 ${wy + 214}L26 ${wy + 226}Z`
  return band + flat(tail, darker(cloth.hex, 0.06)) + seam(cloth, tail) + bar(-32, wy - 24, 64, 56, { ...cloth, hex: darker(cloth.hex, 0.32) }) + bar(-18, wy - 10, 36, 28, cloth) + button(90, wy, 0.1)
}

function quilting(plan: OuterPlan, shape: Shape): string {
  if (plan.quilted !== 'channels') return ''
  const rows: string[] = []
  for (let y = shape.top + 150; y < shape.hem[1] + 20; y += 104) {
    rows.push(fold([-280, y - 8], [0, y + 6], [280, y - 8], 18), fold([-220, y - 56], [-40, y - 50], [120, y - 56], 18, 'shine'))
  }
  return rows.join('')
}

function quiltLines(cloth: Cloth, plan: OuterPlan, shape: Shape): string {
  const [hx, hy] = shape.hem
  let d = ''
  if (plan.quilted === 'channels') {
    for (let y = shape.top + 150; y < hy; y += 104) d += path`M${-shape.waist[0] + 2} ${y}Q0 ${y + 14} ${shape.waist[0] - 2} ${y}`
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
