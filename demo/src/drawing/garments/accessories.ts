import { darker, lighter } from '../colour.ts'
import { mirrored, path } from '../path.ts'
import { bothSides, flat, fold, folds, piece, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import type { Cloth } from '../texture.ts'
import { bar } from './trims.ts'

const middle = (markup: string): string => `<g transform="translate(600 -170) scale(1.22)">${markup}</g>`

export function beanie(plan: { bobble?: boolean } = {}): Garment {
  return {
    second: 'detail',
    focus: { x: 640, y: 800, zoom: 1.5 },
    floor: { y: 1190, width: 400 },
    draw(sheet, cloth) {
      const dome = mirrored('M0 440C180 440 300 580 306 900L0 920')
      const brim = mirrored('M0 860C140 860 260 850 318 830C336 900 336 980 322 1040C240 1064 120 1072 0 1072')
      const wedge = bothSides((side) => seam(cloth, side('M6 452C90 560 130 700 140 860')))
      const trim: Cloth = { ...cloth, texture: 'rib' }
      const ball =
        plan.bobble === true
          ? piece(
              sheet,
              { hex: cloth.accent ?? lighter(cloth.hex, 0.3), texture: 'fleece' },
              mirrored('M0 290C70 290 112 340 112 396C112 456 66 500 0 500'),
            )
          : ''
      return middle(
        piece(sheet, cloth, dome, { folds: folds([[20, 470], [150, 640], [190, 860], 14]) }) +
          (cloth.texture === 'cable' ? '' : wedge) +
          piece(sheet, trim, brim, { folds: fold([-300, 850], [0, 890], [300, 850], 14) }) +
          seam(cloth, 'M-320 1020Q0 1062 320 1020', 'stitch') +
          ball,
      )
    },
  }
}

export function cap(plan: { bucket?: boolean } = {}): Garment {
  return {
    second: 'detail',
    focus: { x: 620, y: 780, zoom: 1.5 },
    floor: { y: 1200, width: 460 },
    draw(sheet, cloth) {
      if (plan.bucket === true) {
        const crown = mirrored('M0 520C130 520 190 532 206 556L262 840C180 868 90 876 0 876')
        const brim = mirrored('M0 860C110 862 200 850 260 832C320 880 380 960 404 1040C300 1094 150 1110 0 1110')
        const rows = [0, 1, 2, 3]
          .map((row) =>
            seam(
              cloth,
              path`M${-300 - row * 28} ${912 + row * 40}Q0 ${984 + row * 40} ${300 + row * 28} ${912 + row * 40}`,
              'stitch',
            ),
          )
          .join('')
        return middle(
          piece(sheet, cloth, brim, {
            folds: fold([-300, 900], [-260, 980], [-330, 1060], 16) + fold([120, 880], [160, 980], [140, 1090], 16),
          }) +
            rows +
            piece(sheet, cloth, crown, { folds: fold([-160, 560], [-150, 700], [-200, 840], 14) }) +
            seam(cloth, 'M-200 566Q0 600 200 566', 'stitch') +
            seam(cloth, 'M0 590L0 872'),
        )
      }
      const crown = mirrored('M0 480C190 480 310 620 318 880C220 910 110 922 0 922')
      const peak = mirrored('M0 868C150 868 250 880 300 868C360 930 390 1000 384 1050C290 996 150 976 0 976')
      return middle(
        piece(sheet, cloth, crown, { folds: folds([[150, 560], [210, 700], [230, 880], 14]) }) +
          bothSides((side) => seam(cloth, side('M10 482C120 560 176 700 184 900'))) +
          seam(cloth, 'M0 482L0 900') +
          piece(sheet, cloth, peak, { light: 'down' }) +
          seam(cloth, 'M-350 1004C-240 950 240 950 350 1004', 'stitch') +
          seam(cloth, 'M-322 966C-220 924 220 924 322 966', 'stitch') +
          `<ellipse cx="0" cy="482" rx="20" ry="10" fill="${darker(cloth.hex, 0.25)}"/>` +
          flat('M-46 720L46 720L46 790L-46 790Z', cloth.accent ?? lighter(cloth.hex, 0.7), 0.9),
      )
    },
  }
}

export function scarf(plan: { square?: boolean } = {}): Garment {
  return {
    second: 'detail',
    focus: { x: 560, y: 900, zoom: 1.6 },
    floor: { y: 1400, width: 380 },
    draw(sheet, cloth) {
      if (plan.square === true) {
        const big = 'M-330 560L330 500L372 1130L-290 1180Z'
        const edge = 'M-300 594L300 538L338 1098L-262 1146Z'
        const turned = 'M330 500L372 1130L150 800Z'
        return middle(
          piece(sheet, cloth, big, {
            folds:
              fold([-300, 600], [0, 820], [330, 1100], 24) +
              fold([-200, 1160], [0, 840], [260, 540], 20, 'shine') +
              fold([-320, 800], [-60, 840], [100, 1150], 18),
          }) +
            `<path d="${edge}" fill="none" stroke="${cloth.accent ?? darker(cloth.hex, 0.4)}" stroke-width="22" opacity=".85"/>` +
            piece(sheet, { ...cloth, hex: lighter(cloth.hex, 0.18) }, turned, { light: 'left' }),
        )
      }
      const fringe = (x: number, y: number, wide: number): string => {
        let d = ''
        for (let step = 0; step <= 11; step += 1)
          d += path`M${x + (wide * step) / 11} ${y}L${x + (wide * step) / 11 + (step % 2) * 6 - 3} ${y + 74}`
        return `<path d="${d}" stroke="${darker(cloth.hex, 0.3)}" stroke-width="13" stroke-linecap="round"/><path d="${d}" stroke="${cloth.hex}" stroke-width="8" stroke-linecap="round"/>`
      }
      const tailBack = 'M-10 520C60 700 70 900 62 1140L262 1120C272 880 250 700 190 500Z'
      const tail = 'M30 500C-40 700 -96 900 -120 1190L-330 1160C-300 880 -230 680 -130 470Z'
      return middle(
        fringe(70, 1126, 184) +
          piece(sheet, cloth, tailBack, { light: 'right', folds: fold([100, 560], [150, 800], [130, 1140], 16) }) +
          fringe(-322, 1176, 192) +
          piece(sheet, cloth, tail, {
            light: 'left',
            turn: 12,
            folds: fold([-60, 520], [-170, 800], [-220, 1180], 18),
          }) +
          flat('M-140 330L140 330L140 480L-140 480Z', darker(cloth.hex, 0.5)) +
          piece(
            sheet,
            cloth,
            'M0 250C180 244 284 330 270 446C254 566 120 626 0 622C-150 622 -268 566 -276 446C-280 330 -170 252 0 250ZM0 346C-90 346 -142 376 -140 414C-132 452 -60 470 0 470C74 470 136 450 138 414C140 374 86 346 0 346Z',
            {
              light: 'round',
              folds:
                fold([-250, 430], [0, 600], [250, 430], 20) +
                fold([-220, 500], [20, 660], [230, 480], 14, 'shine') +
                fold([-200, 360], [-120, 480], [60, 540], 14),
            },
          ),
      )
    },
  }
}

export function tote(plan: { leather?: boolean; zipTop?: boolean } = {}): Garment {
  return {
    second: 'detail',
    focus: { x: 640, y: 760, zoom: 1.6 },
    floor: { y: 1404, width: 460 },
    draw(sheet, cloth) {
      const strap: Cloth = { hex: cloth.accent ?? darker(cloth.hex, 0.3), texture: 'leather' }
      const handle = (lift: number, hex: string): string => {
        const d = path`M-170 ${690 - lift}C-170 ${330 - lift} 170 ${330 - lift} 170 ${690 - lift}`
        return `<path d="${d}" fill="none" stroke="${darker(hex, 0.4)}" stroke-width="40"/><path d="${d}" fill="none" stroke="${hex}" stroke-width="34"/><path d="${d}" fill="none" stroke="${lighter(hex, 0.4)}" stroke-width="24" opacity=".25"/>`
      }
      const bag = mirrored('M0 660L360 640C372 820 350 1080 330 1260C220 1284 110 1288 0 1288')
      const base = mirrored('M0 1130L342 1122C340 1180 336 1220 330 1260C220 1284 110 1288 0 1288')
      const inside = mirrored('M0 612L340 616L360 642L0 664')
      const tabs = bothSides(
        (side) =>
          piece(sheet, strap, side('M146 640L196 640L196 770L171 790L146 770Z'), { light: 'down' }) +
          seam(strap, side('M154 650L154 766L171 778L188 766L188 650'), 'stitch', lighter(strap.hex, 0.5)),
      )
      return middle(
        handle(40, darker(strap.hex, 0.25)) +
          flat(inside, darker(cloth.hex, 0.5)) +
          piece(sheet, cloth, bag, {
            folds:
              fold([-300, 700], [-200, 900], [-260, 1240], 20) +
              fold([220, 680], [140, 900], [230, 1200], 18) +
              fold([-120, 680], [-60, 900], [-110, 1240], 14, 'shine'),
          }) +
          (plan.leather === true ? '' : piece(sheet, strap, base, { light: 'round' })) +
          seam(cloth, 'M-352 676L0 694L352 676', 'stitch') +
          handle(0, strap.hex) +
          tabs,
      )
    },
  }
}

export function satchel(): Garment {
  return {
    second: 'detail',
    focus: { x: 600, y: 860, zoom: 1.6 },
    floor: { y: 1330, width: 440 },
    draw(sheet, cloth) {
      const metal: Cloth = { hex: '#c6a766', texture: 'satin' }
      const strap = 'M-262 800C-300 300 300 300 262 800'
      const bag = mirrored('M0 700L270 700C300 720 312 980 300 1140C280 1210 200 1220 0 1220')
      const flap = mirrored('M0 676L262 676C290 690 300 760 298 860C280 990 150 1020 0 1020')
      return middle(
        `<path d="${strap}" fill="none" stroke="${darker(cloth.hex, 0.45)}" stroke-width="28"/><path d="${strap}" fill="none" stroke="${cloth.hex}" stroke-width="22"/>` +
          piece(sheet, cloth, bag, { light: 'down' }) +
          piece(sheet, cloth, flap, {
            light: 'round',
            folds: fold([-240, 720], [0, 760], [240, 720], 14, 'shine') + fold([-260, 940], [0, 1010], [260, 940], 12),
          }) +
          seam(
            cloth,
            'M-284 860C-266 970 -150 1002 0 1002C150 1002 266 970 284 860',
            'stitch',
            lighter(cloth.hex, 0.4),
          ) +
          bar(-24, 960, 48, 84, metal) +
          `<circle cx="0" cy="1004" r="10" fill="#7d6534"/>` +
          bothSides((side) => flat(side('M252 770L276 770L276 830L252 830Z'), '#c6a766')),
      )
    },
  }
}

export function belt(): Garment {
  return {
    second: 'detail',
    focus: { x: 600, y: 1070, zoom: 1.6 },
    floor: { y: 1230, width: 520 },
    draw(sheet, cloth) {
      const metal = cloth.accent ?? '#c2ad86'
      const coil =
        'M0 560C260 560 420 660 420 790C420 920 260 1010 0 1010C-260 1010 -420 920 -420 790C-420 660 -260 560 0 560Z'
      const inner =
        'M0 640C230 640 388 700 392 790C388 880 240 930 0 930C-240 930 -388 880 -392 790C-388 700 -230 640 0 640Z'
      const front = mirrored('M0 930C240 930 388 880 392 790L420 790L420 900C416 1030 260 1110 0 1110')
      let holes = ''
      for (let index = 0; index < 5; index += 1)
        holes += `<ellipse cx="${150 + index * 46}" cy="${1006 - index * index * 4}" rx="8" ry="10" fill="${darker(cloth.hex, 0.7)}"/>`
      return middle(
        piece(sheet, { ...cloth, hex: darker(cloth.hex, 0.35) }, coil, { light: 'down' }) +
          flat(inner, '#e4ded4') +
          flat(inner, '#000', 0.08) +
          piece(sheet, cloth, front, { light: 'round', folds: fold([-300, 960], [0, 1000], [300, 960], 16, 'shine') }) +
          seam(cloth, 'M-396 850C-330 930 -180 952 0 952C180 952 330 930 396 850', 'stitch', lighter(cloth.hex, 0.35)) +
          seam(
            cloth,
            'M-404 950C-330 1060 -180 1090 0 1090C180 1090 330 1060 404 950',
            'stitch',
            lighter(cloth.hex, 0.35),
          ) +
          holes +
          `<rect x="-86" y="908" width="150" height="222" rx="22" fill="none" stroke="${darker(metal, 0.45)}" stroke-width="28"/><rect x="-86" y="908" width="150" height="222" rx="22" fill="none" stroke="${metal}" stroke-width="22"/><path d="M-92 1018L70 1018" stroke="${darker(metal, 0.45)}" stroke-width="20" stroke-linecap="round"/><path d="M-92 1018L70 1018" stroke="${lighter(metal, 0.25)}" stroke-width="13" stroke-linecap="round"/>` +
          bar(120 - 16, 922, 34, 188, { ...cloth, hex: darker(cloth.hex, 0.12) }),
      )
    },
  }
}

export function mittens(): Garment {
  return {
    second: 'detail',
    focus: { x: 470, y: 760, zoom: 1.5 },
    floor: { y: 1300, width: 440 },
    draw(sheet, cloth) {
      const hand = 'M120 960C110 760 90 560 180 440C250 370 350 420 380 520C400 640 392 800 380 960Z'
      const thumb = 'M128 900C90 800 40 760 26 690C24 640 70 620 104 660C130 700 150 760 160 820Z'
      const cuff = 'M110 940Q250 970 392 940L386 1150Q250 1176 120 1150Z'
      const trim: Cloth = { hex: cloth.accent ?? darker(cloth.hex, 0.08), texture: 'rib' }
      const one =
        piece(sheet, cloth, thumb, { light: 'left' }) +
        piece(sheet, cloth, hand, { light: 'round', folds: fold([150, 800], [220, 780], [240, 640], 16) }) +
        piece(sheet, trim, cuff)
      return middle(
        `<g transform="translate(20 30) rotate(6)">${one}</g><g transform="translate(-20 30) scale(-1 1) rotate(6)">${one}</g>`,
      )
    },
  }
}
