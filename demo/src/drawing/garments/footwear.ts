import { darker, lighter } from '../colour.ts'
import { path } from '../path.ts'
import { flat, fold, piece, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import type { Sheet } from '../sheet.ts'
import type { Cloth } from '../texture.ts'

/** A pair seen from the side: the far shoe is set back and a little higher. */
function pair(sheet: Sheet, one: (sheet: Sheet) => string, offset: [number, number] = [96, -96]): string {
  const shoe = one(sheet)
  return `<g transform="translate(-90 -10) scale(1.13)"><g transform="translate(${offset[0]} ${offset[1]})">${shoe}</g>${shoe}</g>`
}

const floor = { y: 1246, width: 540 }

function sole(sheet: Sheet, hex: string, y: number, height: number, heel: number): string {
  const outline = path`M176 ${y}C300 ${y + 14} 700 ${y + 10} 968 ${y - 10}C984 ${y + 10} 976 ${y + height} 944 ${y + height}L440 ${y + height}L${heel > 0 ? 420 : 440} ${y + height + heel}L190 ${y + height + heel}C172 ${y + height} 168 ${y + 20} 176 ${y}Z`
  return piece(sheet, { hex, texture: 'plain' }, outline, { light: 'down' })
}

export function sneaker(plan: { high?: boolean; canvas?: boolean } = {}): Garment {
  const top = plan.high === true ? 610 : 812
  return {
    second: 'detail',
    focus: { x: 640, y: 960, zoom: 1.5 },
    floor,
    draw(sheet, cloth) {
      const accent = cloth.accent ?? darker(cloth.hex, 0.2)
      return pair(sheet, () => {
        const upper = path`M190 1050C176 960 196 ${top + 60} 214 ${top}C280 ${top - 24} 380 ${top - 20} 432 ${top + 6}C470 ${top + 90} 560 890 690 930C800 956 920 962 962 1050Q580 1074 190 1050Z`
        const heel = path`M190 1050C180 960 196 ${top + 80} 216 ${top + 20}C250 ${top + 80} 284 930 296 1058Z`
        const toe = path`M760 1060C770 990 800 960 832 962C900 970 948 1000 962 1050Q860 1064 760 1060Z`
        const facing = path`M432 ${top + 6}C470 ${top + 90} 560 890 690 930L640 990C520 940 430 880 388 ${top + 40}Z`
        let laces = ''
        const steps = plan.high === true ? 7 : 5
        for (let index = 0; index < steps; index += 1) {
          const share = (index + 0.6) / steps
          const [x, y] = [412 + share * 220, top + 40 + share * (925 - top - 20) + Math.sin(share * 3) * 26]
          laces += path`M${x - 34} ${y + 34}L${x + 34} ${y - 12}`
        }
        return (
          sole(sheet, '#f2eee6', 1040, 66, 0) +
          `<path d="M186 1082H966" stroke="${accent}" stroke-width="7" opacity=".8"/>` +
          flat(
            path`M222 ${top + 4}C290 ${top - 14} 370 ${top - 12} 424 ${top + 10}C370 ${top + 34} 280 ${top + 30} 222 ${top + 4}Z`,
            darker(cloth.hex, 0.5),
          ) +
          piece(sheet, cloth, upper, {
            light: 'down',
            folds:
              fold([560, 1040], [640, 960], [720, 960], 12) + fold([380, 1040], [420, 900], [420, 820], 14, 'shine'),
          }) +
          piece(sheet, { ...cloth, hex: accent }, heel, { light: 'left' }) +
          piece(sheet, plan.canvas === true ? { hex: '#f2eee6', texture: 'plain' } : cloth, toe, { light: 'down' }) +
          piece(sheet, cloth, facing, { light: 'left' }) +
          seam(cloth, path`M320 1056C330 960 400 900 460 900`, 'stitch') +
          `<path d="${laces}" stroke="${darker(cloth.hex, 0.4)}" stroke-width="19" stroke-linecap="round"/><path d="${laces}" stroke="#f6f2ea" stroke-width="14" stroke-linecap="round"/>`
        )
      })
    },
  }
}

export function boot(plan: { style: 'chelsea' | 'lace'; heel?: number }): Garment {
  const heel = plan.heel ?? 22
  return {
    second: 'detail',
    focus: { x: 520, y: 840, zoom: 1.35 },
    floor,
    draw(sheet, cloth) {
      const dark = darker(cloth.hex, 0.55)
      return pair(sheet, () => {
        const upper = path`M196 1050C186 940 214 760 206 ${470}C280 452 420 452 478 474C474 600 486 760 560 850C660 910 900 930 958 1046Q560 1072 196 1050Z`
        const parts = [
          sole(sheet, '#2c2622', 1040, 40, heel),
          piece(sheet, cloth, upper, {
            light: 'left',
            folds:
              fold([470, 800], [400, 850], [300, 840], 12) +
              fold([520, 850], [430, 920], [330, 900], 12) +
              fold([300, 500], [310, 700], [300, 980], 16, 'shine') +
              fold([700, 960], [780, 960], [880, 1010], 12, 'shine'),
          }),
          flat(path`M212 472C290 456 410 456 472 474C410 494 280 492 212 472Z`, dark),
        ]
        if (plan.style === 'chelsea') {
          const gore = path`M300 466L412 466C414 600 404 720 366 800C316 720 300 600 300 466Z`
          parts.push(
            piece(sheet, { hex: darker(cloth.hex, 0.45), texture: 'rib' }, gore),
            flat(path`M206 470L228 470L222 396L202 398Z`, dark),
          )
        } else {
          let laces = ''
          for (let row = 0; row < 8; row += 1)
            laces += path`M${408 + (row > 4 ? (row - 4) * 26 : 0)} ${530 + row * 50}L${492 + (row > 4 ? (row - 4) * 26 : 0)} ${520 + row * 46}`
          parts.push(
            seam(cloth, path`M400 472C396 640 410 800 470 900C520 940 600 950 640 960`, 'stitch'),
            seam(cloth, path`M196 900C260 880 340 900 380 1050`, 'stitch'),
            seam(cloth, path`M700 900C680 960 690 1020 710 1056`, 'stitch'),
            `<path d="${laces}" stroke="#3a2f26" stroke-width="17" stroke-linecap="round"/><path d="${laces}" stroke="#c8a878" stroke-width="12" stroke-linecap="round"/>`,
          )
        }
        return parts.join('')
      })
    },
  }
}

export function loafer(): Garment {
  return {
    second: 'detail',
    focus: { x: 640, y: 1060, zoom: 1.6 },
    floor,
    draw(sheet, cloth) {
      return pair(sheet, () => {
        const upper = path`M188 1050C180 980 190 880 214 830C280 860 420 900 520 850C580 830 640 840 690 870C800 910 930 950 962 1048Q560 1072 188 1050Z`
        const vamp = path`M520 850C580 824 650 838 700 872C790 906 870 934 906 976C820 960 700 960 620 972C560 950 530 900 520 850Z`
        const strap = path`M468 872C540 850 600 900 640 1058L540 1062C530 980 510 910 468 872Z`
        return (
          sole(sheet, '#3a2f28', 1042, 30, 26) +
          flat(path`M214 832C280 806 430 812 520 850C440 900 290 880 214 832Z`, darker(cloth.hex, 0.6)) +
          piece(sheet, cloth, upper, { light: 'down', folds: fold([300, 930], [420, 960], [520, 940], 14, 'shine') }) +
          piece(sheet, cloth, vamp, { light: 'down' }) +
          piece(sheet, cloth, strap, { light: 'left' }) +
          flat(path`M534 930L566 922L580 966L550 974Z`, darker(cloth.hex, 0.5)) +
          seam(cloth, path`M230 1000C300 960 330 1000 340 1058`, 'stitch') +
          seam(cloth, path`M626 982C720 972 830 978 900 992`, 'stitch', lighter(cloth.hex, 0.3))
        )
      })
    },
  }
}

export function socks(plan: { tall?: boolean } = {}): Garment {
  const top = plan.tall === true ? 330 : 460
  return {
    second: 'detail',
    focus: { x: 520, y: 760, zoom: 1.5 },
    floor: { y: 1300, width: 380 },
    draw(sheet, cloth) {
      const trim: Cloth = { hex: cloth.accent ?? darker(cloth.hex, 0.15), texture: 'rib' }
      const one = (x: number, turn: number): string => {
        const leg = path`M300 ${top}L480 ${top}C484 ${top + 240} 476 840 500 930C560 1010 720 1040 760 1110C776 1180 730 1216 660 1214C560 1214 400 1180 330 1110C280 1040 300 900 300 ${top}Z`
        const heel = path`M306 960C360 980 420 1040 400 1160C360 1140 330 1116 318 1090C300 1050 300 1000 306 960Z`
        const toe = path`M690 1056C730 1076 752 1092 760 1110C776 1180 730 1216 660 1214C640 1160 650 1090 690 1056Z`
        const cuff = path`M296 ${top - 6}L484 ${top - 6}L482 ${top + 92}L298 ${top + 92}Z`
        const body = piece(sheet, cloth, leg, {
          light: 'left',
          folds: fold([490, 900], [420, 950], [330, 930], 12) + fold([500, 960], [450, 1000], [400, 1010], 10),
        })
        return `<g transform="translate(${x} 0) rotate(${turn} 400 800)">${body}${piece(sheet, trim, heel, { light: 'left' })}${piece(sheet, trim, toe, { light: 'left' })}${piece(sheet, trim, cuff, { light: 'left' })}</g>`
      }
      return `<g transform="translate(-80 -130) scale(1.15)">${one(230, -5)}${one(10, 2)}</g>`
    },
  }
}
