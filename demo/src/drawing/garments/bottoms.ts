import { darker, lighter } from '../colour.ts'
import { flipped, mirrored, path } from '../path.ts'
import { bothSides, flat, fold, piece, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'
import { bar, button, pocket } from './trims.ts'

/** Short garments come closer to the camera. */
const placed = (markup: string, short: boolean): string =>
  `<g transform="translate(600 ${short ? -230 : -30}) scale(${short ? 1.36 : 1.06})">${markup}</g>`

export interface TrouserPlan {
  waist?: 'band' | 'elastic' | 'drawstring' | 'paperbag' | 'high'
  /** Half the width of a hem. */
  hem?: number
  /** How wide the hips are. */
  hip?: number
  length?: 'full' | 'ankle' | 'knee' | 'short'
  crease?: boolean
  pleats?: boolean
  jeans?: boolean
  cargo?: boolean
  turnUp?: boolean
  ribCuff?: boolean
  tight?: boolean
  bib?: boolean
}

const hems = { full: 1278, ankle: 1200, knee: 900, short: 730 }

/** Trousers, jeans, shorts, leggings and dungarees. */
export function trousers(plan: TrouserPlan = {}): Garment {
  const { waist = 'band', hem = 84, hip = 222, length = 'full' } = plan
  const elastic = waist === 'elastic' || waist === 'drawstring'
  const short = length === 'short' || length === 'knee'
  const top = (waist === 'high' || waist === 'paperbag' ? 206 : 236) + (plan.bib === true ? 216 : short ? 190 : 0)
  const low = hems[length] + (short ? 190 : 0)
  const half = plan.tight === true ? 132 : 158
  const crotch = top + (short ? 268 : 300)
  const spread = short ? hem + 20 : 138 + hem * 0.5
  const cuff = plan.ribCuff === true ? 60 : 0
  const end = low - cuff
  const leg = path`M0 ${top}L${half} ${top}C${half + 22} ${top + 90} ${hip} ${top + 170} ${hip + 2} ${top + 280}C${hip} ${top + (low - top) * 0.5} ${spread + hem} ${top + (low - top) * 0.66} ${spread + hem} ${end}Q${spread} ${end + 14} ${spread - hem} ${end}C${spread - hem - 6} ${top + (low - top) * 0.7} ${short ? 30 : 46} ${crotch + 190} 10 ${crotch}L0 ${crotch - 10}Z`
  const simple = short
    ? path`M0 ${top}L${half} ${top}C${half + 22} ${top + 90} ${hip} ${top + 160} ${hip + 10} ${top + 260}L${spread + hem} ${end}Q${spread} ${end + 14} ${spread - hem} ${end}L10 ${crotch}L0 ${crotch - 10}Z`
    : leg
  const axis = (y: number): number =>
    y < crotch ? half * 0.72 : half * 0.72 + (spread - half * 0.72) * Math.min(1, (y - crotch) / (low - crotch))
  const creases =
    fold([10, crotch - 6], [70, crotch + 20], [hip * 0.8, crotch - 50], 11) +
    fold([14, crotch + 30], [80, crotch + 80], [hip * 0.75, crotch + 50], 10) +
    (short
      ? ''
      : fold([spread - hem, low - 300], [spread, low - 320], [spread + hem * 0.7, low - 280], 10) +
        fold([spread + hem, low - 240], [spread, low - 230], [spread - hem * 0.5, low - 262], 9)) +
    fold([axis(crotch) - 10, crotch - 60], [axis(crotch) + 10, crotch + 150], [axis(low) - 8, low], 16, 'shine') +
    fold([hip - 4, crotch - 30], [hip - 30, crotch + 160], [spread + hem - 20, low], 18)
  return {
    second: 'back',
    focus: { x: 620, y: top + 150, zoom: 2.1 },
    floor: { y: short ? 1340 : 1400, width: short ? 330 : 320 },
    draw(sheet, cloth, view) {
      const front = view === 'front'
      const thread = plan.jeans === true ? '#c98f4a' : undefined
      const stitched = (d: string): string => seam(cloth, d, 'stitch', thread)
      const right = piece(sheet, cloth, simple, { light: 'left', folds: creases, turn: 0 })
      const mirror = creases.replaceAll(/([+-])(M[^Z]*Z)/g, (_, kind: string, d: string) => kind + flipped(d))
      const parts = [piece(sheet, cloth, flipped(simple), { light: 'left', folds: mirror }), right]
      parts.push(
        bothSides((side) =>
          stitched(side(path`M${spread + hem - 4} ${end - 20}Q${spread} ${end - 6} ${spread - hem + 4} ${end - 20}`)),
        ),
      )
      if (plan.ribCuff === true)
        parts.push(
          bothSides((side) =>
            piece(
              sheet,
              { ...cloth, texture: 'rib' },
              side(
                path`M${spread + hem} ${end - 2}Q${spread} ${end + 12} ${spread - hem} ${end - 2}L${spread - hem + 8} ${low}Q${spread} ${low + 12} ${spread + hem - 8} ${low}Z`,
              ),
            ),
          ),
        )
      if (plan.turnUp === true)
        parts.push(
          bothSides((side) =>
            piece(
              sheet,
              plan.jeans === true ? { hex: lighter(cloth.hex, 0.42), texture: 'twill' } : cloth,
              side(
                path`M${spread + hem + 5} ${end - 46}Q${spread} ${end - 34} ${spread - hem - 5} ${end - 46}L${spread - hem - 4} ${end + 2}Q${spread} ${end + 16} ${spread + hem + 4} ${end + 2}Z`,
              ),
            ),
          ),
        )
      if (plan.crease === true)
        parts.push(
          bothSides((side) =>
            seam(
              cloth,
              side(
                path`M${half * 0.6} ${top + 120}C${half * 0.7} ${crotch} ${spread} ${crotch + 200} ${spread} ${low}`,
              ),
            ),
          ),
        )
      parts.push(
        front
          ? frontOf(cloth, plan, half, top, crotch, hip, stitched)
          : backOf(sheet, cloth, plan, half, top, crotch, stitched),
      )
      if (plan.cargo === true)
        parts.push(
          bothSides((side) => {
            const y = crotch + 90
            const bag = side(path`M${hip - 96} ${y}L${hip + 4} ${y - 6}L${hip - 4} ${y + 150}L${hip - 90} ${y + 154}Z`)
            const flap = side(
              path`M${hip - 101} ${y - 10}L${hip + 8} ${y - 16}L${hip + 6} ${y + 42}L${hip - 98} ${y + 48}Z`,
            )
            return piece(sheet, cloth, bag, { light: 'down' }) + piece(sheet, cloth, flap, { light: 'down' })
          }),
        )
      parts.push(waistband(sheet, cloth, plan, half, top, elastic, front))
      if (plan.bib === true) parts.push(bib(sheet, cloth, top, half, front, stitched))
      return placed(parts.join(''), short)
    },
  }
}

function frontOf(
  cloth: Cloth,
  plan: TrouserPlan,
  half: number,
  top: number,
  crotch: number,
  hip: number,
  stitched: (d: string) => string,
): string {
  if (plan.tight === true) return seam(cloth, path`M0 ${top + 40}L0 ${crotch - 10}`)
  const elastic = plan.waist === 'elastic' || plan.waist === 'drawstring'
  const fly = elastic
    ? seam(cloth, path`M0 ${top + 40}L0 ${crotch - 10}`)
    : seam(cloth, path`M0 ${top + 40}L0 ${crotch - 10}`) +
      stitched(path`M44 ${top + 46}L42 ${crotch - 120}Q34 ${crotch - 76} 4 ${crotch - 62}`)
  const pockets = bothSides((side) =>
    plan.jeans === true
      ? flat(
          side(
            path`M${half - 78} ${top + 40}Q${half - 66} ${top + 122} ${half + 34} ${top + 116}L${half + 8} ${top + 40}Z`,
          ),
          darker(cloth.hex, 0.16),
        ) + stitched(side(path`M${half - 78} ${top + 42}Q${half - 66} ${top + 122} ${half + 33} ${top + 116}`))
      : seam(cloth, side(path`M${half - 46} ${top + 42}L${hip - 30} ${top + 180}`)) +
        stitched(side(path`M${half - 55} ${top + 42}L${hip - 38} ${top + 182}`)),
  )
  const coin = plan.jeans === true ? stitched(path`M${half - 48} ${top + 62}L${half - 46} ${top + 104}`) : ''
  const pleats =
    plan.pleats === true
      ? bothSides(
          (side) =>
            seam(cloth, side(path`M${half * 0.46} ${top + 42}L${half * 0.52} ${top + 190}`)) +
            seam(cloth, side(path`M${half * 0.66} ${top + 42}L${half * 0.7} ${top + 150}`)),
        )
      : ''
  return fly + pockets + coin + pleats
}

function backOf(
  sheet: Sheet,
  cloth: Cloth,
  plan: TrouserPlan,
  half: number,
  top: number,
  crotch: number,
  stitched: (d: string) => string,
): string {
  const middle = seam(cloth, path`M0 ${top + 40}L0 ${crotch - 10}`)
  if (plan.tight === true)
    return middle + seam(cloth, path`M${-half - 14} ${top + 70}Q0 ${top + 130} ${half + 14} ${top + 70}`)
  if (plan.jeans === true) {
    const yoke = stitched(path`M${-half - 14} ${top + 62}L0 ${top + 104}L${half + 14} ${top + 62}`)
    const bag = { kind: 'pointed' as const, y: top + 128, width: 116, height: 138 }
    return middle + yoke + pocket(sheet, cloth, { ...bag, x: -96 }) + pocket(sheet, cloth, { ...bag, x: 96 })
  }
  const welt = { kind: 'welt' as const, y: top + 128, width: 108, height: 18 }
  const dart = bothSides((side) => seam(cloth, side(path`M92 ${top + 40}L94 ${top + 112}`)))
  return (
    middle +
    dart +
    pocket(sheet, cloth, { ...welt, x: -94 }) +
    pocket(sheet, cloth, { ...welt, x: 94 }) +
    button(-94, top + 160, 6, '#6d6258') +
    button(94, top + 160, 6, '#6d6258')
  )
}

function waistband(
  sheet: Sheet,
  cloth: Cloth,
  plan: TrouserPlan,
  half: number,
  top: number,
  elastic: boolean,
  front: boolean,
): string {
  const strip = path`M${-half + 2} ${top - 6}Q0 ${top + (front ? 8 : -2)} ${half - 2} ${top - 6}L${half + 8} ${top + 40}Q0 ${top + 52} ${-half - 8} ${top + 40}Z`
  const band = piece(sheet, elastic ? { ...cloth, texture: 'rib' } : cloth, strip)
  if (plan.waist === 'paperbag') {
    const ruffle = mirrored(
      path`M0 ${top - 58}C40 ${top - 74} 60 ${top - 46} 90 ${top - 62}C120 ${top - 74} 140 ${top - 52} ${half + 12} ${top - 60}L${half - 2} ${top + 4}Q${half * 0.5} ${top + 8} 0 ${top + 10}`,
    )
    const tie = front
      ? path`M-10 ${top + 10}C-80 ${top - 40} -90 ${top + 60} -10 ${top + 22}C-30 ${top + 90} -40 ${top + 130} -50 ${top + 170}L-20 ${top + 176}C-6 ${top + 120} 0 ${top + 70} 4 ${top + 26}C20 ${top + 80} 30 ${top + 120} 36 ${top + 160}L62 ${top + 152}C50 ${top + 100} 30 ${top + 60} 14 ${top + 22}C90 ${top + 60} 84 ${top - 40} 14 ${top + 10}Z`
      : ''
    return piece(sheet, cloth, ruffle) + band + (tie === '' ? '' : flat(tie, darker(cloth.hex, 0.1)) + seam(cloth, tie))
  }
  if (plan.waist === 'drawstring' && front) {
    const cords = path`M-14 ${top + 24}C-20 ${top + 80} -30 ${top + 110} -24 ${top + 160}M14 ${top + 24}C22 ${top + 90} 16 ${top + 120} 26 ${top + 176}`
    return (
      band +
      `<path d="${cords}" fill="none" stroke="${darker(cloth.hex, 0.5)}" stroke-width="11" stroke-linecap="round"/><path d="${cords}" fill="none" stroke="#efe9dd" stroke-width="7" stroke-linecap="round"/>`
    )
  }
  if (elastic) return band
  const loops = [-0.82, -0.42, 0.42, 0.82].map((share) => bar(share * half - 7, top - 8, 14, 54, cloth)).join('')
  const patch =
    plan.jeans === true && !front
      ? `<rect x="70" y="${top + 2}" width="66" height="40" rx="3" fill="#a9713f" stroke="#6d4522" stroke-width="2"/>`
      : ''
  return (
    band +
    (plan.tight === true
      ? ''
      : loops + (front ? button(0, top + 26, 12, plan.jeans === true ? '#b98a55' : '#8d8478') : patch))
  )
}

function bib(
  sheet: Sheet,
  cloth: Cloth,
  top: number,
  half: number,
  front: boolean,
  stitched: (d: string) => string,
): string {
  const straps = bothSides((side) =>
    piece(
      sheet,
      cloth,
      side(
        front
          ? path`M64 ${top - 246}L98 ${top - 250}L112 ${top - 380}L76 ${top - 384}Z`
          : path`M10 ${top - 130}L44 ${top - 140}L112 ${top - 380}L76 ${top - 384}Z`,
      ),
      { light: 'down' },
    ),
  )
  if (!front)
    return (
      straps +
      piece(sheet, cloth, mirrored(path`M0 ${top - 150}L52 ${top - 140}L${half - 4} ${top}L0 ${top + 8}`), {
        light: 'round',
      })
    )
  const panel = mirrored(
    path`M0 ${top - 262}L104 ${top - 266}C108 ${top - 150} ${half - 24} ${top - 80} ${half - 4} ${top}L0 ${top + 8}`,
  )
  const bag = path`M-62 ${top - 190}L62 ${top - 190}L62 ${top - 70}L-62 ${top - 70}Z`
  return (
    straps +
    piece(sheet, cloth, panel) +
    stitched(path`M-96 ${top - 252}L96 ${top - 252}`) +
    piece(sheet, cloth, bag, { light: 'down' }) +
    stitched(path`M-54 ${top - 176}L54 ${top - 176}`) +
    button(-82, top - 248, 12, '#c2a36a') +
    button(82, top - 248, 12, '#c2a36a')
  )
}

export interface SkirtPlan {
  shape?: 'pencil' | 'line' | 'full'
  length?: 'mini' | 'midi' | 'maxi'
  pleats?: boolean
  buttons?: boolean
  waist?: 'band' | 'elastic'
  wrap?: boolean
  jeans?: boolean
}

export function skirt(plan: SkirtPlan = {}): Garment {
  const { shape = 'line', length = 'midi', waist = 'band' } = plan
  const top = length === 'mini' ? 440 : 300
  const low = length === 'mini' ? 1010 : length === 'midi' ? 1180 : 1262
  const sweep = { pencil: 188, line: 290, full: 390 }[shape]
  const outline =
    length === 'mini'
      ? mirrored(
          path`M0 ${top}L134 ${top}C150 ${top + 100} ${sweep * 0.8} ${top + 200} ${sweep} ${low}C${sweep * 0.6} ${low + 26} ${sweep * 0.3} ${low + 28} 0 ${low + 28}`,
        )
      : mirrored(
          path`M0 ${top}L134 ${top}C${150 + sweep * 0.1} ${top + 120} ${shape === 'pencil' ? 214 : 160 + sweep * 0.2} ${top + 240} ${shape === 'pencil' ? 212 : 150 + sweep * 0.36} ${top + 320}C${sweep} ${low - 260} ${sweep} ${low - 160} ${sweep} ${low}C${sweep * 0.6} ${low + 26} ${sweep * 0.3} ${low + 28} 0 ${low + 28}`,
        )
  return {
    second: 'back',
    focus: { x: 630, y: top + 160, zoom: 2.1 },
    floor: { y: 1385, width: sweep + 60 },
    draw(sheet, cloth, view) {
      const front = view === 'front'
      const depth = shape === 'full' ? 22 : 15
      const drape = [-0.8, -0.5, -0.2, 0.15, 0.45, 0.75]
        .map((share, index) =>
          fold(
            [share * 120, top + 30],
            [share * (120 + sweep) * 0.6, (top + low) / 2],
            [share * sweep * 1.05, low + 40],
            depth - (index % 2) * 5,
            index % 3 === 2 ? 'shine' : 'shadow',
          ),
        )
        .join('')
      const parts = [
        piece(sheet, cloth, outline, {
          folds:
            shape === 'pencil'
              ? fold([-120, top + 200], [-60, top + 300], [-100, low], 14) +
                fold([140, top + 160], [60, top + 260], [120, low], 14)
              : drape,
        }),
      ]
      if (plan.pleats === true) {
        let lines = ''
        for (let step = -7; step <= 7; step += 1)
          lines += path`M${step * 17.5} ${top + 40}L${(step * sweep) / 7.6} ${low + 22}`
        parts.push(
          `<path d="${lines}" stroke="${darker(cloth.hex, 0.45)}" stroke-width="3" opacity=".5"/><path d="${lines}" transform="translate(6 0)" stroke="${lighter(cloth.hex, 0.5)}" stroke-width="4" opacity=".3"/>`,
        )
      }
      parts.push(seam(cloth, path`M${-sweep + 6} ${low - 20}Q0 ${low + 32} ${sweep - 6} ${low - 20}`, 'stitch'))
      if (front && plan.buttons === true) {
        parts.push(
          seam(cloth, path`M22 ${top + 40}L24 ${low + 26}`),
          seam(cloth, path`M-22 ${top + 40}L-24 ${low + 26}`),
        )
        for (let y = top + 80; y < low - 80; y += 88) parts.push(button(0, y, 11, '#d9c7a8'))
      }
      if (front && plan.wrap === true)
        parts.push(seam(cloth, path`M-110 ${top + 30}C0 ${top + 240} 90 ${low - 200} 110 ${low + 22}`))
      if (!front || (plan.buttons !== true && plan.wrap !== true && plan.pleats !== true))
        parts.push(seam(cloth, path`M0 ${top + 40}L0 ${shape === 'pencil' ? low + 28 : top + 260}`))
      const strip = path`M-134 ${top - 8}Q0 ${top + (front ? 8 : -2)} 134 ${top - 8}L140 ${top + 38}Q0 ${top + 52} -140 ${top + 38}Z`
      parts.push(
        piece(sheet, waist === 'elastic' ? { ...cloth, texture: 'rib' } : cloth, strip),
        front && waist === 'band' && plan.pleats !== true
          ? button(0, top + 24, 11, plan.jeans === true ? '#b98a55' : '#d9c7a8')
          : '',
      )
      return placed(parts.join(''), length === 'mini')
    },
  }
}
