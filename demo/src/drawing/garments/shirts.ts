import { path } from '../path.ts'
import { bothSides, centred, seam } from '../piece.ts'
import type { Garment } from '../garment.ts'
import { body, hemStitch, shapeOf, type Cut, type Shape } from './body.ts'
import { band, campCollar, insideBack, shirtCollar, standCollar } from './neck.ts'
import { longSleeve, shortSleeve, sleeves, type Sleeve } from './sleeve.ts'
import { button, buttons, placket, pocket, pockets } from './trims.ts'

const floor = { y: 1340, width: 380 }

export interface ShirtPlan {
  cut?: Cut
  collar?: 'pointed' | 'camp' | 'stand'
  sleeve?: 'long' | 'short'
  pockets?: 'none' | 'one' | 'two'
  /** Half a shirt: the buttons stop at the chest. */
  popover?: boolean
  length?: number
  width?: number
  buttonColour?: string
}

export function shirt(plan: ShirtPlan = {}): Garment {
  const { cut = 'men', collar = 'pointed', sleeve = 'long', length = 0, width = 0, popover = false } = plan
  const base = shapeOf(cut)
  const camp = collar === 'camp'
  const shape: Shape = {
    ...base,
    drop: camp ? 178 : 66,
    neckline: camp ? 'vee' : 'round',
    shoulder: [base.shoulder[0] + width * 0.6, base.shoulder[1] + width * 0.2],
    armpit: [base.armpit[0] + width, base.armpit[1]],
    waist: [base.waist[0] + width, base.waist[1]],
    hem: [base.hem[0] + width, base.hem[1] - (camp ? 10 : 50) + length],
    dip: camp ? 8 : 64,
  }
  const arms: Sleeve =
    sleeve === 'long'
      ? { ...longSleeve, cuff: 'band', fullness: 10 }
      : { ...shortSleeve, width: cut === 'men' ? 96 : 86 }
  const start = shape.top + shape.drop
  const low = shape.hem[1] + shape.dip
  return {
    second: 'back',
    focus: { x: 630, y: 500, zoom: 2.1 },
    floor,
    draw(sheet, cloth, view) {
      const trunk =
        sleeves(sheet, cloth, shape, arms) +
        (view === 'front' ? insideBack(cloth, shape) : '') +
        body(sheet, cloth, shape, view) +
        hemStitch(cloth, shape)
      if (view === 'back') {
        const yoke = seam(
          cloth,
          path`M${-shape.shoulder[0] + 12} ${shape.top + 128}Q0 ${shape.top + 142} ${shape.shoulder[0] - 12} ${shape.top + 128}`,
          'stitch',
        )
        const pleat = bothSides((side) => seam(cloth, side(path`M16 ${shape.top + 136}L13 ${shape.top + 420}`)))
        const collarBack =
          collar === 'stand' ? standCollar(sheet, cloth, shape, view, 34) : shirtCollar(sheet, cloth, shape, view)
        return centred(trunk + yoke + pleat + collarBack)
      }
      const end = popover ? start + 250 : low - 2
      const strip = placket(sheet, cloth, start - 2, end)
      const count = popover ? 3 : camp ? 5 : 7
      const column = buttons(0, start + (camp ? 22 : 48), popover ? end - 36 : low - 110, count, 8.5, plan.buttonColour)
      const chest = { kind: 'pointed' as const, x: 112, y: shape.top + 230, width: 116, height: 132 }
      const bags =
        plan.pockets === 'two'
          ? pockets(sheet, cloth, chest)
          : plan.pockets === 'one'
            ? pocket(sheet, cloth, chest)
            : ''
      const front =
        collar === 'camp'
          ? campCollar(sheet, cloth, shape, view)
          : collar === 'stand'
            ? standCollar(sheet, cloth, shape, view, 40)
            : shirtCollar(sheet, cloth, shape, view)
      const top = collar === 'pointed' ? button(0, start + 8, 7.5, plan.buttonColour) : ''
      return centred(trunk + bags + strip + column + front + top)
    },
  }
}

export interface TeePlan {
  cut?: Cut
  neckline?: 'crew' | 'vee' | 'scoop' | 'boat' | 'henley'
  sleeve?: 'short' | 'long' | 'cap' | 'none'
  pocket?: boolean
  width?: number
  length?: number
  contrast?: string
}

export function tee(plan: TeePlan = {}): Garment {
  const { cut = 'men', neckline = 'crew', sleeve = 'short', width = 0, length = 0 } = plan
  const base = shapeOf(cut)
  const drops = { crew: 62, henley: 62, vee: 150, scoop: 124, boat: 42 }
  const shape: Shape = {
    ...base,
    neck: neckline === 'boat' ? 122 : neckline === 'scoop' ? 100 : base.neck,
    top: neckline === 'boat' ? base.top + 8 : base.top,
    drop: drops[neckline],
    neckline: neckline === 'vee' ? 'vee' : neckline === 'boat' ? 'boat' : 'round',
    shoulder:
      sleeve === 'none'
        ? [base.shoulder[0] - 40, base.shoulder[1] - 8]
        : [base.shoulder[0] + width * 0.6, base.shoulder[1] + width * 0.2],
    armpit: [base.armpit[0] + width, base.armpit[1]],
    waist: [base.waist[0] + width, base.waist[1]],
    hem: [base.hem[0] + width, base.hem[1] - 30 + length],
  }
  const arms: Sleeve =
    sleeve === 'long'
      ? { ...longSleeve, width: 44 }
      : {
          ...shortSleeve,
          length: sleeve === 'cap' ? 150 : 235,
          angle: sleeve === 'cap' ? 38 : 28,
          width: cut === 'men' ? 94 : 82,
        }
  return {
    second: 'back',
    focus: { x: 640, y: 470, zoom: 2.1 },
    floor,
    draw(sheet, cloth, view) {
      const trim = plan.contrast === undefined ? cloth : { ...cloth, hex: plan.contrast }
      const trimmed: Sleeve =
        plan.contrast === undefined
          ? arms
          : { ...arms, cuff: 'turned', cuffCloth: { hex: plan.contrast, texture: 'finerib' } }
      const limbs = sleeve === 'none' ? '' : sleeves(sheet, cloth, shape, trimmed)
      const placketed = neckline === 'henley' && view === 'front'
      const start = shape.top + shape.drop
      return centred(
        limbs +
          (view === 'front' ? insideBack(cloth, shape) : '') +
          body(sheet, cloth, shape, view) +
          hemStitch(cloth, shape) +
          (view === 'back'
            ? seam(
                cloth,
                path`M${-shape.neck - 20} ${shape.top + 12}Q0 ${shape.top + 60} ${shape.neck + 20} ${shape.top + 12}`,
                'stitch',
              )
            : '') +
          (placketed
            ? placket(sheet, cloth, start, start + 170, 22) + buttons(0, start + 44, start + 142, 3, 7.5)
            : '') +
          (plan.pocket === true && view === 'front'
            ? pocket(sheet, cloth, { kind: 'patch', x: 108, y: shape.top + 210, width: 108, height: 120 })
            : '') +
          (neckline === 'boat' ? '' : band({ ...trim, texture: 'rib' }, shape, view, 26)),
      )
    },
  }
}
