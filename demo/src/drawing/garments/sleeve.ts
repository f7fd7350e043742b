import { darker } from '../colour.ts'
import { flipped, path } from '../path.ts'
import { fold, piece, seam } from '../piece.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'
import type { Shape } from './body.ts'

export interface Sleeve {
  /** Along the arm, from the shoulder. */
  length: number
  /** Degrees away from hanging straight down. */
  angle: number
  /** Half the width at the cuff. */
  width: number
  /** How far it billows out beyond a straight line. */
  fullness: number
  cuff: 'rib' | 'band' | 'hem' | 'turned' | 'strap'
  cuffCloth?: Cloth
}

export const longSleeve: Sleeve = { length: 690, angle: 13, width: 50, fullness: 0, cuff: 'hem' }
export const shortSleeve: Sleeve = { length: 245, angle: 27, width: 88, fullness: 0, cuff: 'hem' }

/** Both sleeves; drawn before the body, whose edge then reads as the armhole seam. */
export function sleeves(sheet: Sheet, cloth: Cloth, shape: Shape, grown: Sleeve): string {
  const sleeve = { ...grown, length: grown.length * shape.arm }
  return oneSleeve(sheet, cloth, shape, sleeve, 1) + oneSleeve(sheet, cloth, shape, sleeve, -1)
}

function oneSleeve(sheet: Sheet, cloth: Cloth, shape: Shape, sleeve: Sleeve, side: 1 | -1): string {
  const radians = (sleeve.angle * Math.PI) / 180
  const [dx, dy] = [Math.sin(radians), Math.cos(radians)]
  const [sx, sy] = shape.shoulder
  const [ax, ay] = shape.armpit
  const start = { x: sx - 26, y: sy + 60 }
  /** A point `along` the arm and `out` from its axis. */
  const at = (along: number, out: number): [number, number] => [
    start.x + dx * along + dy * out,
    start.y + dy * along - dx * out,
  ]
  const { length, width, fullness } = sleeve
  const gather = sleeve.cuff === 'rib' || sleeve.cuff === 'band' ? 8 + fullness * 0.3 : 0
  const cuffHeight = { rib: 62, band: 56, hem: 0, turned: 46, strap: 0 }[sleeve.cuff]
  const end = length - cuffHeight
  const outer = at(end, width + gather)
  const inner = at(end, -width - gather)
  const bend = at(end * 0.5, width + 26 + fullness * 0.7)
  const bulge = at(end * 0.92, width + gather + 5 + fullness)
  const innerBend = at(end * 0.92, -width - gather - fullness * 0.8)
  const elbow = at(end * 0.5, -width - 14 - fullness * 0.3)
  const slope = (sy - 5 - shape.top) / (sx - 10 - shape.neck)
  const capY = sy - 5 - slope * 34
  const muscle = at(170, width + 26 + fullness * 0.7)
  const lift = fullness * 0.35
  const cap = path`M${sx - 44} ${capY}C${sx + 4 + fullness * 0.3} ${capY + slope * 48 - lift} ${at(88, width + 25 + fullness * 0.7)[0]} ${at(88, width + 25 + fullness * 0.7)[1]} ${muscle[0]} ${muscle[1]}`
  const shortCap = path`M${sx - 44} ${capY}C${sx + 6 + fullness * 0.5} ${capY + slope * 50 - lift} ${sx + 34 + fullness} ${sy + 26 - lift} ${outer[0]} ${outer[1]}`
  const down = path`C${bend[0]} ${bend[1]} ${bulge[0]} ${bulge[1]} ${outer[0]} ${outer[1]}`
  const mouth = at(end + 9, 0)
  const across = path`Q${mouth[0]} ${mouth[1]} ${inner[0]} ${inner[1]}`
  const up =
    length < 330
      ? path`L${ax - 4} ${ay + 8}L${ax - 60} ${ay - 60}Z`
      : path`C${innerBend[0]} ${innerBend[1]} ${elbow[0]} ${elbow[1]} ${ax - 4} ${ay + 8}L${ax - 60} ${ay - 60}Z`
  const outline = (length < 330 ? shortCap : cap + down) + across + up
  const mirror = (d: string): string => (side === 1 ? d : flipped(d))
  const point = ([x, y]: [number, number]): [number, number] => [x * side, y]
  const turn = -sleeve.angle * side
  const creases =
    length < 330
      ? fold(point([ax - 4, ay]), point(at(end * 0.6, -20)), point(at(end * 0.5, 50)), 11)
      : [
          fold(point(at(end * 0.5, -70)), point(at(end * 0.5, 0)), point(at(end * 0.43, 46)), 12),
          fold(point(at(end * 0.56, -70)), point(at(end * 0.6, -10)), point(at(end * 0.64, 34)), 10),
          fold(point(at(end * 0.95, -20)), point(at(end * 0.75, -14)), point(at(end * 0.6, 10)), 11),
          fold(point(at(end * 0.9, 30)), point(at(end * 0.6, 30)), point(at(end * 0.2, 22)), 13, 'shine'),
          fold(point([ax, ay - 20]), point(at(250, -10)), point(at(330, 20)), 13),
        ].join('')
  const arm = piece(sheet, cloth, mirror(outline), { light: side === 1 ? 'right' : 'left', turn, folds: creases })
  return arm + finish(sheet, cloth, sleeve, side, at, mirror, cuffHeight)
}

function finish(
  sheet: Sheet,
  cloth: Cloth,
  sleeve: Sleeve,
  side: 1 | -1,
  at: (along: number, out: number) => [number, number],
  mirror: (d: string) => string,
  cuffHeight: number,
): string {
  const { length, width } = sleeve
  const end = length - cuffHeight
  const line = (along: number, out: number): string => {
    const [from, middle, to] = [at(along, out), at(along + 9, 0), at(along, -out)]
    return mirror(path`M${from[0]} ${from[1]}Q${middle[0]} ${middle[1]} ${to[0]} ${to[1]}`)
  }
  if (sleeve.cuff === 'hem') return seam(cloth, line(end - 20, width - 1), 'stitch')
  if (sleeve.cuff === 'strap') {
    const [a, b, c, d] = [
      at(end - 74, width + 10),
      at(end - 74, -width - 6),
      at(end - 46, -width - 6),
      at(end - 46, width + 10),
    ]
    const strap = path`M${a[0]} ${a[1]}L${b[0]} ${b[1]}L${c[0]} ${c[1]}L${d[0]} ${d[1]}Z`
    return piece(sheet, cloth, mirror(strap), { light: 'down', turn: -sleeve.angle * side })
  }
  const flare = sleeve.cuff === 'turned' ? 5 : 0
  const [a, b, c, d] = [
    at(end - 2, width + flare),
    at(length, width - 2 + flare),
    at(length, -width + 2 - flare),
    at(end - 2, -width - flare),
  ]
  const [low, high] = [at(length + 9, 0), at(end + 7, 0)]
  const band = path`M${a[0]} ${a[1]}L${b[0]} ${b[1]}Q${low[0]} ${low[1]} ${c[0]} ${c[1]}L${d[0]} ${d[1]}Q${high[0]} ${high[1]} ${a[0]} ${a[1]}Z`
  const own = sleeve.cuffCloth ?? cloth
  const cuffCloth: Cloth = sleeve.cuff === 'rib' ? { ...own, texture: 'rib' } : own
  const shown: Cloth =
    sleeve.cuff === 'turned' && sleeve.cuffCloth === undefined ? { ...own, hex: darker(own.hex, 0.06) } : cuffCloth
  const markup = piece(sheet, shown, mirror(band), { light: side === 1 ? 'right' : 'left', turn: -sleeve.angle * side })
  if (sleeve.cuff !== 'band') return markup
  const [bx, by] = at(length - cuffHeight / 2, width - 24)
  return (
    markup +
    `<circle cx="${Math.round(bx * side)}" cy="${Math.round(by)}" r="6" fill="#f3ede2" stroke="#5b5147" stroke-width="2"/>`
  )
}
